import torch

print(torch.randn(2, 3, 4).view(2, 10).shape)
