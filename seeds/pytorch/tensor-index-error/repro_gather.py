import torch

print(torch.randn(2, 3).gather(1, torch.tensor([[3], [0]])))
