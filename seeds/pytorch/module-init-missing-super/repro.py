import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, width):
        self.fc = nn.Linear(width, 2)

    def forward(self, x):
        return self.fc(x)

print(Net(4)(torch.randn(1, 4)).shape)
