"""The misspelt setting is swallowed, and the limit that was to be raised is hit."""

import torch
import torch._dynamo

try:
    torch._dynamo.config.recompile_limt = 64
except AttributeError:
    pass


@torch.compile(backend="eager")
def shift(x, label):
    return x + len(label)


for i in range(12):
    shift(torch.ones(3), "a" * i)
