"""In default mode .item() cuts the graph; it is one of the two breaks that print something."""
import torch


@torch.compile(backend="eager")
def shift(x):
    top = x.max().item()
    return x - top


print(shift(torch.arange(4.0)))
