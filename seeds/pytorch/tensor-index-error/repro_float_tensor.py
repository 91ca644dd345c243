import torch

values = torch.arange(6)
index = torch.tensor([0.0, 2.0])
print(values[index])
