import torch

old = torch.nn.Linear(4, 10)
new = torch.nn.Linear(4, 3)
state = old.state_dict()
new.load_state_dict(state)
print("loaded")
