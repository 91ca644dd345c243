import torch
# needs a GPU and a cuDNN of another version first in LD_LIBRARY_PATH
print(torch.backends.cudnn.version())
torch.nn.Conv2d(1, 1, 1).cuda()(torch.ones(1, 1, 2, 2).cuda())
