import torch

print(torch.lerp(torch.zeros(2), torch.ones(2, dtype=torch.float64), 0.5))
