import torch
import torch.nn.functional as F

print(F.cross_entropy(torch.randn(1, 2, 2, 2), torch.tensor([[[0, 1], [1, 255]]])).shape)
