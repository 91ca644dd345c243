import torch
from torch import nn


class Old(nn.Module):
    def __init__(self):
        super(Old, self).__init__()
        self.fc = nn.Linear(2, 2)


class Older(nn.Module):
    def __init__(self):
        nn.Module.__init__(self)
        self.fc = nn.Linear(2, 2)


class Plain(nn.Module):
    def forward(self, x):
        return x


class Both(torch.nn.Module, dict):
    def __init__(self):
        torch.nn.Module.__init__(self)
        dict.__init__(self)


class Config:
    def __init__(self, width):
        self.width = width
