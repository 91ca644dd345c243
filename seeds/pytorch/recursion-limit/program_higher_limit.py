"""With a higher limit the C stack overflows: the process dies without a traceback."""

import sys
import torch

sys.setrecursionlimit(10**6)


class Block(torch.nn.Module):
    def forward(self, x):
        return self(x)


Block()(torch.ones(1))
