"""Another size is pinned instead."""

import torch
import torch._dynamo


@torch.compile(backend="eager")
def f(x):
    return x.view(6, 3) + 1


x = torch.ones(6, 3)
torch._dynamo.mark_dynamic(x, 0)
f(x)
