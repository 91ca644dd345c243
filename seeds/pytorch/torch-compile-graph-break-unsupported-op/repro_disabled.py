"""A function under torch.compiler.disable is itself a graph break: an error under fullgraph=True."""
import torch


@torch.compiler.disable
def lookup(x):
    return x + 1


@torch.compile(backend="eager", fullgraph=True)
def block(x):
    return lookup(x * 2) * 3


print(block(torch.ones(4)))
