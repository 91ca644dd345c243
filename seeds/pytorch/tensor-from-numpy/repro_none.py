import torch

print(torch.tensor([1.0, None]))
