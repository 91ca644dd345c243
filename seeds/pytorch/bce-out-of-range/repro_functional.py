import torch
import torch.nn.functional as F

logits = torch.tensor([2.0, -1.0])
print(F.binary_cross_entropy(logits, torch.tensor([1.0, 0.0])).shape)
