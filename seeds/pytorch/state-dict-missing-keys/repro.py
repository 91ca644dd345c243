import torch

saved = torch.nn.Sequential(torch.nn.Linear(2, 2)).state_dict()
model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 1))
model.load_state_dict(saved)
print("loaded")
