import torch
torch.randn(2, 10).unflatten(1, (3, 4))
