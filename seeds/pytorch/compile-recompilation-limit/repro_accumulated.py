"""recompile_limit = 1000 does not allow 1000 variants: the accumulated limit of 256 comes first."""
import torch

torch._dynamo.config.recompile_limit = 1000


@torch.compile(backend="eager")
def shift(x, label):
    return x + len(label)


for i in range(280):
    shift(torch.ones(3), f"label-{i}")
print("finished")
