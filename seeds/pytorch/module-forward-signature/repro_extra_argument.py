import torch
from torch import nn


class Wrapper(nn.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        return self.net(x)


class Runner:
    def __init__(self):
        self.model = Wrapper(nn.Linear(2, 2))

    def step(self, batch):
        x, mask = batch
        return self.model(x, mask)


print(Runner().step((torch.ones(1, 2), None)).shape)
