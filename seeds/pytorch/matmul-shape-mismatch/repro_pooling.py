import torch
from torch import nn
class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(16, 10)
    def forward(self, x):
        return self.fc(self.pool(x))
CNN()(torch.randn(2, 16, 8, 8))
