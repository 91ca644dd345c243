import torch
from torch import nn

print(nn.EmbeddingBag(4, 2)(torch.zeros(1, 2)).shape)
