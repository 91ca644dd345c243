import copy
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        self.last = self.fc(x)
        return self.last

net = Net()
net(torch.randn(1, 2))
ema = copy.deepcopy(net)
print(type(ema).__name__)
