import torch

print(torch.arange(4).mean())
