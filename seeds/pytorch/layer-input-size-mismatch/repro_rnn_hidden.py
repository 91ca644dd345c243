import torch
from torch import nn

print(nn.LSTM(4, 8)(torch.randn(7, 2, 4), (torch.zeros(1, 3, 8), torch.zeros(1, 3, 8)))[0].shape)
