"""A branch on a mapped value."""
import torch


def positive_part(x):
    if x > 0:
        return x
    return x * 0


print(torch.vmap(positive_part)(torch.tensor([1.0, -2.0, 3.0])))
