import torch

print(torch.randn(3)[0, 1])
