"""A branch on a tensor with .item() inside, as TORCH_LOGS=graph_breaks reports it."""
import os

os.environ["TORCH_LOGS"] = "graph_breaks"
import torch  # noqa: E402


@torch.compile(backend="eager")
def lift(x):
    y = x * 2
    if y.mean() > 0:
        y = y + y.max().item()
    return y


print(lift(torch.ones(4)))
