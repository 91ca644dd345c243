import torch
from torch import nn

print(nn.InstanceNorm2d(3)(torch.randn(2, 3, 1, 1)).shape)
