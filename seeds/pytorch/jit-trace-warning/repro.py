"""A branch on a tensor becomes a constant in the trace."""
import torch


def signed(x):
    if x.mean() > 0:
        return x + 1
    return x - 1


traced = torch.jit.trace(signed, torch.ones(3))
print(traced(-torch.ones(3)))
