import torch
from torch import nn

print(nn.Conv2d(3, 4, 3)(torch.randn(3, 8)).shape)
