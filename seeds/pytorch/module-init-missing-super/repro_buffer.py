import torch
from torch import nn

class Stats(nn.Module):
    def __init__(self):
        self.register_buffer("mean", torch.zeros(2))

    def forward(self, x):
        return x - self.mean

print(Stats()(torch.ones(2)).shape)
