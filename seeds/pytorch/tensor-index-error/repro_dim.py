import torch

print(torch.randn(3, 4).sum(dim=2))
