import torch
from torch import nn

params = nn.Linear(2, 2).parameters()
print(sum(p.numel() for p in params))
torch.optim.Adam(params, lr=1e-3)
