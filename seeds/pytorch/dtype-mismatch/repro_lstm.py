import torch
from torch import nn

print(nn.LSTM(2, 3)(torch.randn(4, 1, 2, dtype=torch.float64))[0].dtype)
