import torch
from torch import nn

conv = nn.Conv2d(3, 4, 3, padding=1)
photo = torch.randn(2, 20, 30, 3)
print(conv(photo).shape)
