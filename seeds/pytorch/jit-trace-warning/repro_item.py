"""A number read with .item() becomes a constant in the trace."""
import torch


def normalise(x):
    top = x.max().item()
    return x / top


print(torch.jit.trace(normalise, torch.arange(1.0, 4.0))(torch.ones(3)))
