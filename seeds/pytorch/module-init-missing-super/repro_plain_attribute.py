import torch
from torch import nn

class Identity(nn.Module):
    def __init__(self, size):
        self.size = size

    def forward(self, x):
        return x[..., : self.size]

print(Identity(1)(torch.ones(2)).shape)
