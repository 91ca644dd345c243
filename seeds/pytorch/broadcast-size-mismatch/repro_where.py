import torch

print(torch.masked_fill(torch.randn(2, 3), torch.ones(2, 4, dtype=torch.bool), 0.0))
