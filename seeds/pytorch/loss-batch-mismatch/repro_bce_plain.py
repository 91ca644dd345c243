import torch
from torch import nn

print(nn.BCELoss()(torch.rand(4, 1), torch.ones(4)).shape)
