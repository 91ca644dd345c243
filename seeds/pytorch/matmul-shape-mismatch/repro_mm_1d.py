import torch

print(torch.mm(torch.randn(3, 4), torch.randn(4)))
