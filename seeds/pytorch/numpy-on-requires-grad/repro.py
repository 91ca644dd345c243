import torch
from torch import nn

prediction = nn.Linear(4, 1)(torch.randn(8, 4))
values = prediction.numpy()
print(values.shape)
