import torch

x = torch.randn(4, 6)
centred = x - x.mean(dim=1)
print(centred.shape)
