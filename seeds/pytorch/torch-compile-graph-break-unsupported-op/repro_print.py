"""print inside a compiled function is a graph break."""
import torch


@torch.compile(backend="eager", fullgraph=True)
def block(x):
    y = torch.relu(x)
    print("after relu", y.shape)
    return y + 1


print(block(torch.ones(4)))
