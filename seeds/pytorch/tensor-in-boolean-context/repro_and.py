import torch

x = torch.arange(5)
print(x[(x > 1) and (x < 4)])
