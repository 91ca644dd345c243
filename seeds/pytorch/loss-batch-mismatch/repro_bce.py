import torch
from torch import nn

print(nn.BCEWithLogitsLoss()(torch.randn(4, 1), torch.ones(4)).shape)
