import torch

print(torch.from_numpy([1.0, 2.0]))
