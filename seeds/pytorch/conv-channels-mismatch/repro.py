import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(1, 8, kernel_size=3)
        self.body = nn.Conv2d(8, 16, kernel_size=3)

    def forward(self, x):
        return self.body(self.stem(x))

print(Net()(torch.randn(2, 3, 16, 16)).shape)
