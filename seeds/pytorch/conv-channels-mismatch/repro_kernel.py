import torch
from torch import nn

print(nn.Conv2d(1, 4, 5)(torch.randn(1, 1, 3, 3)).shape)
