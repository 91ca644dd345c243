import torch
from torch import nn

embedding = nn.Embedding(10, 4)
tokens = torch.tensor([1.0, 2.0])
print(embedding(tokens).shape)
