import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3 * 6 * 6, 10)

    def forward(self, x):
        return self.fc(x)

print(Net()(torch.randn(8, 3, 6, 6)).shape)
