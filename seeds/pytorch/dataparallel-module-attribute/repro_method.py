import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        return self.fc(x)

    def generate(self, x):
        return self.fc(x).argmax(-1)

model = nn.DataParallel(Net())
print(model.generate(torch.randn(1, 2)))
