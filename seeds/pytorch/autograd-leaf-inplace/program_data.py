"""The gradient is computed from the changed value, without a message."""

import sys
import torch

w = torch.full((1,), 3.0, requires_grad=True)
loss = (w**2).sum()
w.data.mul_(10)
loss.backward()
if w.grad.item() != 6.0:
    sys.exit(f"the gradient is {w.grad.item()} and should be 6.0")
