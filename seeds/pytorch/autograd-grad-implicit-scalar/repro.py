import torch
from torch import nn

model = nn.Linear(4, 2)
loss = (model(torch.randn(3, 4)) - 1).pow(2)
loss.backward()
print(model.weight.grad.shape)
