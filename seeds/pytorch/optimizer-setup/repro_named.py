import torch
from torch import nn

model = nn.Linear(2, 2)
torch.optim.Adam([p for p in model.parameters()] + [model.weight], lr=1e-3)
