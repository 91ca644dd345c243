import torch
from torch import nn

class Net(nn.Module):
    def forward(x):
        return x

print(Net()(torch.ones(1)))
