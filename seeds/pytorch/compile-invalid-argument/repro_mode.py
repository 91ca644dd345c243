"""A mode that does not exist."""
import torch

layer = torch.compile(torch.nn.Linear(3, 3), mode="max_autotune")
print("compiled", layer)
