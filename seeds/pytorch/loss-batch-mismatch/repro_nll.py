import torch
import torch.nn.functional as F

print(F.nll_loss(torch.randn(4, 3), torch.ones(4, 1, dtype=torch.long)))
