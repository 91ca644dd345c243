import torch

print(torch.randn(4).transpose(0, 1))
