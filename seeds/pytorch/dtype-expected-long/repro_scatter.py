import torch

print(torch.zeros(2, 3).scatter_(1, torch.tensor([[0.0], [1.0]]), 1.0))
