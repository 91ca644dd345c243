import torch

weights = torch.ones(4)
print(torch.tensor(weights, dtype=torch.float64))
