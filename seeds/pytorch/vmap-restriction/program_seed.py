"""A seed does not say how samples share random numbers."""

import torch


def noisy(x):
    torch.manual_seed(0)
    return x + torch.rand(())


torch.vmap(noisy)(torch.ones(2))
