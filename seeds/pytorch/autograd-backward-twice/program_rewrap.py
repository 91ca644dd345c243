"""The second loss has no graph any more."""

import torch

w = torch.ones(2, requires_grad=True)
loss = (w**2).sum()
loss.backward()
torch.tensor(loss).backward()
