"""An argument without annotation counts as a Tensor."""
import torch


@torch.jit.script
def repeat(x, times):
    return x.repeat(times)


print(repeat(torch.ones(2), 3))
