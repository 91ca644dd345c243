import torch
from torch import nn

layer = nn.TransformerEncoderLayer(d_model=18, nhead=4)
print(layer(torch.randn(2, 3, 18)).shape)
