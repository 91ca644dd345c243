import torch
from torch import nn

model = nn.Linear(4, 1)
loss = torch.tensor(model(torch.randn(8, 4)).mean().item())
loss.backward()
print(model.weight.grad.shape)
