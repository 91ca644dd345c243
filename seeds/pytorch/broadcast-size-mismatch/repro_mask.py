import torch

x = torch.randn(2, 4)
mask = torch.ones(3, dtype=torch.bool)
print(x[mask])
