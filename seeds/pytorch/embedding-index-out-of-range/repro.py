import torch
from torch import nn

embedding = nn.Embedding(10, 4)
tokens = torch.tensor([[1, 5, 10]])
print(embedding(tokens).shape)
