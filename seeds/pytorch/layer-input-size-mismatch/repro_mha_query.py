import torch
from torch import nn

attention = nn.MultiheadAttention(16, 4, batch_first=True)
x = torch.randn(2, 5, 12)
print(attention(x, x, x)[0].shape)
