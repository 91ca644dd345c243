import torch

values = torch.randn(3, 4)
print(values[3])
