import torch
from torch import nn

old = torch.optim.AdamW(nn.Linear(3, 3).parameters())
new = torch.optim.AdamW(nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 1)).parameters())
new.load_state_dict(old.state_dict())
