import torch

a = torch.randn(4, 6, 8)
b = torch.randn(4, 5, 3)
print((a @ b).shape)
