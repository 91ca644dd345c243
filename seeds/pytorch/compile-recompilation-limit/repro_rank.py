"""The number of dimensions is never dynamic."""
import torch


@torch.compile(backend="eager", dynamic=True)
def total(x):
    return x.exp().sum()


for dims in range(1, 13):
    total(torch.ones([2] * dims))
print("finished")
