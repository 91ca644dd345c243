import torch
from torch import nn

class Block(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.inner = Block(depth + 1)

print(Block(0))
