import torch
from torch import nn

conv = nn.Conv2d(1, 2, 1).half()
print(conv(torch.randn(1, 1, 4, 4)).dtype)
