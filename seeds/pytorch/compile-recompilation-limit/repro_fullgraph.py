"""Under fullgraph=True the same limit is an exception instead of a warning."""
import torch


@torch.compile(backend="eager", fullgraph=True)
def scale(x, phase):
    return x * len(phase)


for step in range(14):
    scale(torch.ones(3), "p" * step)
print("finished")
