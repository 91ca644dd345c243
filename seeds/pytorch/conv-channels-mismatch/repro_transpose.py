import torch
from torch import nn

print(nn.ConvTranspose2d(8, 4, 2)(torch.randn(1, 4, 8, 8)).shape)
