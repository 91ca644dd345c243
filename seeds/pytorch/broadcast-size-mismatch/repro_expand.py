import torch

mask = torch.ones(4, 1)
print(mask.expand(3, 6).shape)
