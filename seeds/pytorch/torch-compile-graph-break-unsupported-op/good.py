import torch
from torch import nn


def script(function):
    return function


@torch.jit.ignore
def helper(x: torch.Tensor) -> torch.Tensor:
    return x + 1


class C(nn.Module):
    @torch.jit.export
    def reset(self, x: torch.Tensor) -> torch.Tensor:
        return x

    @script
    def forward(self, x):
        return helper(x)


model = torch.compile(C(), fullgraph=True)
