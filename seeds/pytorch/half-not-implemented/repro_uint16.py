import torch

x = torch.ones(2, dtype=torch.uint16)
print(x + x)
