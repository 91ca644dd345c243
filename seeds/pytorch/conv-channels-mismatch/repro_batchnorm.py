import torch
from torch import nn

model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(16))
print(model(torch.randn(2, 3, 8, 8)).shape)
