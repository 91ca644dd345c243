import torch

print(torch.cat([torch.randn(2, 3), torch.randn(3)]).shape)
