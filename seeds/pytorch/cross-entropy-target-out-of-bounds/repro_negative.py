import torch
import torch.nn.functional as F

print(F.cross_entropy(torch.randn(3, 4), torch.tensor([0, -1, 2])).shape)
