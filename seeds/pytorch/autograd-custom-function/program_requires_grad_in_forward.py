"""The flag set in forward changes nothing."""

import torch


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return (x * 2).requires_grad_(True)


Double.apply(torch.ones(2, requires_grad=True)).sum().backward()
