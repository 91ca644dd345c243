"""A checkpoint of a compiled model is loaded into the plain one."""
import torch

compiled = torch.compile(torch.nn.Linear(3, 2), backend="eager")
torch.save(compiled.state_dict(), "checkpoint.pt")
plain = torch.nn.Linear(3, 2)
state = torch.load("checkpoint.pt")
plain.load_state_dict(state)
print("loaded")
