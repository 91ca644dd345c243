import torch
from torch import nn

model = nn.Sequential(nn.Flatten(), nn.Linear(784, 64), nn.ReLU(), nn.Linear(32, 10))
print(model(torch.randn(2, 28, 28)).shape)
