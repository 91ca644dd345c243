"""An exception of the program's own becomes 'Observed exception' under fullgraph=True."""
import torch


@torch.compile(backend="eager", fullgraph=True)
def check(x):
    if x.shape[0] != 8:
        raise ValueError("expected 8 rows")
    return x.sum()


print(check(torch.ones(4)))
