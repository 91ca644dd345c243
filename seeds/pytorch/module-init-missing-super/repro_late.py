import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        self.fc = nn.Linear(2, 2)
        super().__init__()

    def forward(self, x):
        return self.fc(x)

print(Net()(torch.ones(1, 2)).shape)
