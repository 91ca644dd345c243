import torch

mask = torch.ones(4, device="meta")
print(mask.cpu())
