import torch

model = torch.nn.Linear(2, 2)
torch.optim.SGD(model.parameters(), lr=-0.1)
