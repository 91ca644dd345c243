import torch
from torch import nn

print(nn.CrossEntropyLoss()(torch.randn(2, 3, 4, 4), torch.zeros(2, 5, 5, dtype=torch.long)))
