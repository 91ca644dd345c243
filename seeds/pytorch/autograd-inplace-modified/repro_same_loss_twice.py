import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 1))
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
loss = net(torch.randn(2, 3)).sum()
loss.backward(retain_graph=True)
sgd.step()
loss.backward()
