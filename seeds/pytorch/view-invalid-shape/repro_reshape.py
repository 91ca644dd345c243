import torch

print(torch.arange(12).reshape(5, 3))
