import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 4))
print(model(torch.randn(1, 4), None))
