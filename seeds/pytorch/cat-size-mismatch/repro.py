import torch

left = torch.randn(2, 3)
right = torch.randn(2, 5)
print(torch.cat([left, right]).shape)
