"""The same mistake in eager mode, with its plain message."""
import torch

layer = torch.nn.Linear(6, 3)
print(layer(torch.randn(2, 8)).shape)
