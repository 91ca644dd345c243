import torch
from torch import nn

print(nn.Linear(3, 2)(torch.tensor([[1, 2, 3]])).dtype)
