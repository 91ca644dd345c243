"""A limit of 0 is no "unlimited": nothing is compiled and every call runs eagerly."""
import torch

torch._dynamo.config.recompile_limit = 0
compiled = []


def backend(module, inputs):
    compiled.append(module)
    return module.forward


@torch.compile(backend=backend)
def double(x):
    return x * 2


for rows in range(2, 12):
    double(torch.ones(rows, 4))
print("calls 10, compiles", len(compiled))
