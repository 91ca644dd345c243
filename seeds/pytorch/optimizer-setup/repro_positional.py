import torch

model = torch.nn.Linear(2, 2)
torch.optim.Adam(model.parameters(), "0.001")
