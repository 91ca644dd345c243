import torch
torch.optim.Adam(torch.nn.Linear(2, 2))
