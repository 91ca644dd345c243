import bitsandbytes as bnb
import torch
# needs bitsandbytes without a library for torch.version.cuda
layer = bnb.nn.Linear8bitLt(16, 16).cuda()
print(layer(torch.ones(1, 16, dtype=torch.float16, device="cuda")).shape)
