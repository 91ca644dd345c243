"""The circle is entered again at the next call."""

import torch


class Block(torch.nn.Module):
    def forward(self, x):
        return self(x)


block = Block()
try:
    block(torch.ones(1))
except RecursionError:
    print("caught")
block(torch.ones(1))
