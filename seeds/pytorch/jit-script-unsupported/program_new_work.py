"""torch.jit.script says itself that it is deprecated."""

import warnings

warnings.simplefilter("always")
import torch


@torch.jit.script
def f(x):
    return x + 1


print(f(torch.ones(1)))
