import torch

values = torch.ones(3)
print(float(values))
