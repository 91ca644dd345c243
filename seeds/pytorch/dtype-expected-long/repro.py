import torch
from torch import nn

criterion = nn.CrossEntropyLoss()
logits = torch.randn(4, 3)
labels = torch.tensor([0.0, 2.0, 1.0, 1.0])
print(criterion(logits, labels))
