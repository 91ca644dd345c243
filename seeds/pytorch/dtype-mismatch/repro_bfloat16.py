import torch
from torch import nn

layer = nn.Linear(3, 4).to(torch.bfloat16)
print(layer(torch.randn(2, 3)).dtype)
