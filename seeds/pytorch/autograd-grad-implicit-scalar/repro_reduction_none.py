import torch
from torch import nn

criterion = nn.MSELoss(reduction="none")
model = nn.Linear(4, 2)
loss = criterion(model(torch.randn(3, 4)), torch.zeros(3, 2))
loss.backward()
print(model.weight.grad.shape)
