import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 2), nn.Softmax())
print(net(torch.ones(1, 3)).sum().item())
