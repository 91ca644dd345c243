"""Gradients switched on after the forward pass."""

import torch

torch.set_grad_enabled(False)
loss = torch.nn.Linear(2, 1)(torch.ones(1, 2)).sum()
torch.set_grad_enabled(True)
loss.backward()
