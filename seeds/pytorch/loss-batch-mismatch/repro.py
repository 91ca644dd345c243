import torch
from torch import nn

logits = torch.randn(4, 6, 5)
labels = torch.randint(0, 5, (4, 6))
print(nn.CrossEntropyLoss()(logits, labels))
