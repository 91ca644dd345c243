"""Vectors cast to integers are no ids."""

import torch

hidden = torch.tensor([[0.2, 7.9]])
torch.nn.Embedding(4, 2)(hidden.long())
