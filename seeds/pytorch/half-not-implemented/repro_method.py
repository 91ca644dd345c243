import torch
from torch import nn

x = torch.arange(6).view(2, 3)
print(nn.LogSoftmax(dim=1)(x))
