import torch

state = torch.nn.Linear(3, 1).state_dict()
model = torch.nn.DataParallel(torch.nn.Linear(3, 1))
model.load_state_dict(state)
print("loaded")
