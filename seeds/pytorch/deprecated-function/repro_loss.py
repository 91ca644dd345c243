import torch
from torch import nn

criterion = nn.L1Loss(size_average=False)
print(criterion(torch.ones(2), torch.zeros(2)))
