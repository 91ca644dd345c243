import torch

print(int(torch.arange(3)))
