"""The branch is recorded as a constant all the same."""

import torch


def f(x):
    return x + 1 if x.sum() > 0 else x - 1


torch.jit.trace(f, torch.ones(2), check_trace=False)
