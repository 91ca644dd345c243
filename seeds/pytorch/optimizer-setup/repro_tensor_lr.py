import torch

model = torch.nn.Linear(2, 2)
torch.optim.Adam(model.parameters(), lr=torch.tensor([0.1, 0.2]))
