"""A plain checkpoint is loaded into the compiled model."""
import torch

plain = torch.nn.Linear(3, 2)
compiled = torch.compile(torch.nn.Linear(3, 2), backend="eager")
compiled.load_state_dict(plain.state_dict())
print("loaded")
