import torch
from torch import nn

loss = nn.CrossEntropyLoss(reduction="none")(torch.randn(4, 3), torch.tensor([0, 1, 2, 0]))
print("loss", loss.item())
