import torch

weights = torch.ones(3, 3, device="mps")
print(weights.sum().item())
