import torch
from torch import nn

model = nn.Linear(2, 2)
x = torch.randn(1, 2).to(model.device)
print(model(x).shape)
