import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        h = torch.exp(self.a(x))
        F.relu_(h)
        h.mul_(2)
        return self.b(h) + h


Block()(torch.randn(2, 4)).sum().backward()
