"""None is no "unlimited" either: the first call compares it with a number."""
import torch

torch._dynamo.config.recompile_limit = None


@torch.compile(backend="eager")
def double(x):
    return x * 2


print(double(torch.ones(3)))
