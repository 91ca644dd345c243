import torch

model = torch.nn.Linear(2, 2)
torch.optim.AdamW(model.parameters(), lr=[1e-3])
