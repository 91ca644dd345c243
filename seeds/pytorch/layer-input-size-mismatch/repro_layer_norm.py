import torch
from torch import nn

print(nn.LayerNorm(16)(torch.randn(2, 12)).shape)
