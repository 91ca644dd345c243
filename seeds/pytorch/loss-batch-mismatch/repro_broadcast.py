import torch
from torch import nn

model = nn.Linear(3, 1)
criterion = nn.MSELoss()
target = torch.randn(8)
print(criterion(model(torch.randn(8, 3)), target).shape)
