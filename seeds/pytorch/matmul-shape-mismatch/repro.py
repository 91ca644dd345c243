import torch
from torch import nn

class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3)
        self.hidden = nn.Linear(100, 32)
        self.out = nn.Linear(32, 10)

    def forward(self, x):
        x = self.conv(x).relu().flatten(1)
        return self.out(self.hidden(x).relu())

print(Classifier()(torch.randn(2, 1, 8, 8)).shape)
