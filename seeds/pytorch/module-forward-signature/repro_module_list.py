import torch
from torch import nn

layers = nn.ModuleList([nn.Linear(4, 4), nn.ReLU()])
print(layers(torch.randn(1, 4)).shape)
