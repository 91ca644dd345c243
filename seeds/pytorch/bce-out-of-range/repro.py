import torch
from torch import nn

model = nn.Linear(4, 1)
torch.nn.init.constant_(model.bias, 3.0)
criterion = nn.BCELoss()
loss = criterion(model(torch.zeros(2, 4)), torch.ones(2, 1))
print(loss.shape)
