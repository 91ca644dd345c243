"""An if on a number read from a tensor, captured in the graph."""
import torch

torch._dynamo.config.capture_scalar_outputs = True


@torch.compile(backend="eager", fullgraph=True)
def clip(x):
    peak = x.max().item()
    if peak > 2:
        return x / 2
    return x


print(clip(torch.arange(4.0)))
