"""Only the size of the example is accepted."""

import torch
from torch.export import export


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2


export(Net(), (torch.ones(4, 3),)).module()(torch.ones(5, 3))
