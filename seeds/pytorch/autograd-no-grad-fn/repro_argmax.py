import torch
from torch import nn

model = nn.Linear(4, 3)
choice = model(torch.randn(8, 4)).argmax(1).float()
loss = (choice - 1).pow(2).mean()
loss.backward()
