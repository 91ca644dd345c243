import torch

mask = torch.tensor([True, False])
print(bool(mask))
