import torch

print(torch.ops.my_kernels.scale(torch.ones(2)))
