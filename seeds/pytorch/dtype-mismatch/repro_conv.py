import torch
from torch import nn

conv = nn.Conv1d(2, 3, 1).double()
print(conv(torch.randn(1, 2, 5)).dtype)
