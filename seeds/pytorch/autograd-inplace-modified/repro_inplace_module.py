import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.Sigmoid(), nn.Dropout(0.5, inplace=True), nn.Linear(4, 1))
model(torch.randn(3, 4)).sum().backward()
print("done")
