import torch
import torch.nn.functional as F

print(F.cross_entropy(torch.randn(4, 3), torch.tensor([0, 1, 2])))
