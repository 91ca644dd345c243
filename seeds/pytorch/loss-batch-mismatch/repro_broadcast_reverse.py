import torch
import torch.nn.functional as F

print(F.l1_loss(torch.randn(8), torch.randn(8, 1)).shape)
