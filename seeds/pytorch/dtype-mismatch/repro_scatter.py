import torch

print(torch.zeros(2, 3).scatter_(1, torch.zeros(2, 1, dtype=torch.long), torch.ones(2, 1, dtype=torch.float64)))
