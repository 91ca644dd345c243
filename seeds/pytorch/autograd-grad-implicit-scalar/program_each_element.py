"""The second call finds the graph freed."""

import torch

w = torch.ones(3, requires_grad=True)
losses = torch.exp(w) * w
for loss in losses:
    loss.backward()
