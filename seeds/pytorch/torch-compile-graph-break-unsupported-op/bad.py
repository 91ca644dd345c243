import torch
from torch import nn
from torch.jit import script


class A(nn.Module):
    @torch.jit.script  # finding: 1
    def forward(self, x):
        return x + 1


class B(nn.Module):
    @script  # finding: 1
    def forward(self, x):
        return x + 1
