"""The same TypeError."""

import torch


class Net(torch.nn.Module):
    def forward(self, x, mask):
        return x * mask


Net().forward(torch.ones(1))
