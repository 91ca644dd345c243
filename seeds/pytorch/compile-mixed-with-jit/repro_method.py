"""@torch.jit.script on a method: the script compiler does not know self."""
import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.ones(3))

    @torch.jit.script
    def forward(self, x):
        return x * self.scale


print(torch.compile(Net(), backend="eager")(torch.ones(3)))
