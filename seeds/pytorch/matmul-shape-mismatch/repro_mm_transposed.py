import torch

q = torch.randn(5, 8)
k = torch.randn(5, 8)
print(torch.mm(q, k).shape)
