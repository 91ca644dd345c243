import torch
from torch import nn

print(nn.Embedding(4, 2, padding_idx=0)(torch.tensor([-1, 2])).shape)
