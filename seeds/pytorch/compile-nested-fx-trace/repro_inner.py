"""symbolic_trace on a module that calls a compiled helper."""
import torch
import torch.fx


@torch.compile(backend="eager")
def activation(x):
    return torch.nn.functional.gelu(x)


class Block(torch.nn.Module):
    def forward(self, x):
        return activation(x) + 1


print(torch.fx.symbolic_trace(Block()).graph)
