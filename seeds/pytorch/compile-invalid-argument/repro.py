"""A misspelt backend."""
import torch

layer = torch.compile(torch.nn.Linear(3, 3), backend="inducter")
print(layer(torch.ones(2, 3)).shape)
