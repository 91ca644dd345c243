"""A compiled module cannot be traced."""
import torch

model = torch.compile(torch.nn.Linear(3, 3), backend="eager")
print(torch.jit.trace(model, torch.ones(1, 3)))
