import torch

print(torch.linalg.solve(torch.eye(2), torch.ones(2, dtype=torch.float64)))
