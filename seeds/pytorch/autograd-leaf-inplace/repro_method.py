import torch
from torch import nn

layer = nn.Linear(3, 3)
layer.weight.mul_(0.5)
print(layer.weight.shape)
