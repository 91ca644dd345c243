import torch

model = torch.nn.Linear(2, 2)
checkpoint = {"epoch": 3, "state_dict": model.state_dict()}
model.load_state_dict(checkpoint)
print("loaded")
