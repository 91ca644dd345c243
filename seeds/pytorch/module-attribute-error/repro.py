import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(4, 4)

    def forward(self, x):
        return self.encodr(x)

print(Net()(torch.randn(1, 4)).shape)
