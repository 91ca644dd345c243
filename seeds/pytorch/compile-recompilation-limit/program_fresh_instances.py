"""Instances of one class share the limit of its forward."""

import torch


class Net(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = torch.nn.Linear(width, 2)

    def forward(self, x):
        return self.fc(x)


for width in range(2, 14):
    net = torch.compile(Net(width), backend="eager", fullgraph=True)
    net(torch.ones(1, width))
