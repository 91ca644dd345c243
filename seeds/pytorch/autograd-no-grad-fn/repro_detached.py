import torch
from torch import nn

model = nn.Linear(4, 1)
prediction = model(torch.randn(8, 4)).detach()
loss = (prediction - 1).pow(2).mean()
loss.backward()
print(model.weight.grad.shape)
