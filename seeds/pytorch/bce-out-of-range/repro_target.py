import torch
from torch import nn

print(nn.BCELoss()(torch.tensor([0.5]), torch.tensor([2.0])))
