import torch
# needs a GPU with a driver older than the CUDA of the wheel
print(torch.version.cuda)
torch.cuda.init()
