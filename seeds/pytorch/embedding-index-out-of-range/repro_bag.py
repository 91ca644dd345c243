import torch
from torch import nn

print(nn.EmbeddingBag(4, 2)(torch.tensor([[1, 4]])).shape)
