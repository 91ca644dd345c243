"""The code still pins the dimension."""

import torch
import torch._dynamo


@torch.compile(backend="eager", dynamic=True)
def f(x):
    return x + 1 if x.shape[0] == 4 else x - 1


x = torch.ones(4, 3)
torch._dynamo.mark_dynamic(x, 0)
f(x)
