import torch

values = torch.arange(6)
middle = len(values) / 2
print(values[middle])
