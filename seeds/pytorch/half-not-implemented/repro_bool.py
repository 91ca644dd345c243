import torch

mask = torch.ones(3, dtype=torch.bool)
print(torch.cumsum(mask - mask, 0))
