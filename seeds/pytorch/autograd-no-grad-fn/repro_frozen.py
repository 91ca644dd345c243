import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1))
for parameter in model.parameters():
    parameter.requires_grad = False
model(torch.randn(8, 4)).mean().backward()
print(model[0].weight.grad.shape)
