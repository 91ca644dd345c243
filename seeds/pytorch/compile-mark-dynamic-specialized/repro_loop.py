"""A Python loop over the size unrolls it, which pins it."""
import torch


@torch.compile(backend="eager")
def total(x):
    out = torch.zeros(2)
    for row in range(x.size(0)):
        out = out + x[row]
    return out


rows = torch.ones(5, 2)
torch._dynamo.mark_dynamic(rows, 0)
print(total(rows))
