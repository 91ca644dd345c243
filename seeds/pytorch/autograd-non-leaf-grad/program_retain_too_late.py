"""retain_grad() after backward()."""

import torch

x = torch.ones(2, requires_grad=True)
y = x * 2
y.sum().backward()
y.retain_grad()
print(y.grad.norm())
