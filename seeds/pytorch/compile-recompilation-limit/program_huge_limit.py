"""A huge limit: the accumulated limit of 256 stops it all the same."""

import torch
import torch._dynamo

torch._dynamo.config.recompile_limit = 100_000
compiled = []


def backend(module, inputs):
    compiled.append(module)
    return module.forward


@torch.compile(backend=backend)
def shift(x, label):
    return x + len(label)


for i in range(270):
    shift(torch.ones(3), f"m{i}")
print("calls 270, compiles", len(compiled))
