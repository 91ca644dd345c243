import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def features(self, x):
        return self.fc(x)

    def forwrad(self, x):
        return self.features(x).relu()


print(Net()(torch.ones(1, 2)).shape)
