"""What is marked unused raises as soon as it is called."""

import torch


class Net(torch.nn.Module):
    @torch.jit.unused
    def names(self, x):
        return x + len(vars(self))

    def forward(self, x):
        return self.names(x)


torch.jit.script(Net())(torch.ones(1))
