import torch
from torch import nn

print(nn.CrossEntropyLoss()(torch.randn(4, 3), torch.ones(4, 1, dtype=torch.long)))
