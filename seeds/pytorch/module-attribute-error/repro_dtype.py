import torch
from torch import nn

model = nn.Linear(2, 2)
print(torch.ones(1, 2, dtype=model.dtype))
