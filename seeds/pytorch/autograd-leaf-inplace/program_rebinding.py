"""After the rebinding the tensor is no leaf: its grad is None in the next step."""

import torch

w = torch.ones(2, requires_grad=True)
for step in range(2):
    (w**2).sum().backward()
    w = w - 0.1 * w.grad
