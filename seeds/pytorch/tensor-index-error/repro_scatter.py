import torch

print(torch.zeros(2, 3).scatter_(1, torch.tensor([[3]]), 1.0))
