import torch
from torch import nn

model = nn.Linear(4, 3)
labels = torch.tensor([1, 2, 3])
loss = nn.CrossEntropyLoss()(model(torch.randn(3, 4)), labels)
print(loss.shape)
