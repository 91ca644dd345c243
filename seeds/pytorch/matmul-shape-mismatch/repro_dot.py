import torch

print(torch.dot(torch.randn(3), torch.randn(4)))
