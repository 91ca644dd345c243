import torch
from torch import nn

criterion = nn.L1Loss()
depth = torch.rand(2, 4, 4)
print(criterion(torch.rand(2, 1, 4, 4), depth).shape)
