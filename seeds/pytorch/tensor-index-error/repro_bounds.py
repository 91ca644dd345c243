import torch

values = torch.randn(3, 4)
print(values[:, torch.tensor([1, 4])])
