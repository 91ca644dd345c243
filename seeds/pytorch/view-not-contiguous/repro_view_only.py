import torch

heads = torch.randn(2, 4, 3, 8).transpose(1, 2)
merged = heads.view(2, 3, 32)
print(merged.shape)
