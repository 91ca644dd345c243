"""A switch left on after debugging: compilation is off; from torch 2.13 on fullgraph=True notices."""
import torch

torch._dynamo.config.disable = True


@torch.compile(backend="eager", fullgraph=True)
def double(x):
    return x * 2


print(double(torch.ones(3)))
