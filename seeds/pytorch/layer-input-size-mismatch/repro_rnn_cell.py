import torch
from torch import nn

print(nn.GRUCell(4, 8)(torch.randn(2, 5)).shape)
