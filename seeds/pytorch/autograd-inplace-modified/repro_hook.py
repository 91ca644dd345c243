import torch
from torch import nn

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(2, 2, 1)
        self.act = nn.LeakyReLU(inplace=True)

    def forward(self, x):
        return self.act(self.conv(x))

block = Block()
block.conv.register_full_backward_hook(lambda module, grad_in, grad_out: None)
block(torch.randn(1, 2, 3, requires_grad=True)).sum().backward()
print("done")
