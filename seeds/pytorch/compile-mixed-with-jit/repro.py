"""A compiled module cannot be scripted."""
import torch

compiled = torch.compile(torch.nn.Linear(3, 3), backend="eager")
print(torch.jit.script(compiled))
