"""A parameter is changed in place inside compiled code."""
import torch


@torch.compile(backend="aot_eager")
def decay(weight):
    weight.mul_(0.5)
    return weight.sum()


print(decay(torch.ones(3, requires_grad=True)))
