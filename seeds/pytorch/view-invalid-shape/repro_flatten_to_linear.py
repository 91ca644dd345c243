import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3)
        self.head = nn.Linear(4 * 14 * 14, 10)

    def forward(self, x):
        x = torch.relu(self.conv(x))
        x = x.view(x.size(0), 4 * 14 * 14)
        return self.head(x)


print(Net()(torch.randn(3, 1, 28, 28)).shape)
