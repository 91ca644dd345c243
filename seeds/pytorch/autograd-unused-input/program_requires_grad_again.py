"""The tensor requires grad already."""

import torch

a = torch.ones(2, requires_grad=True)
b = torch.ones(2, requires_grad=True)
total = a.sum()
b.requires_grad_()
torch.autograd.grad(total, [a, b])
