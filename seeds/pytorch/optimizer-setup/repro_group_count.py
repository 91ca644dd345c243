import torch
from torch import nn

m = nn.Linear(3, 3)
old = torch.optim.SGD(m.parameters(), lr=0.1)
new = torch.optim.SGD([{"params": [m.weight]}, {"params": [m.bias], "lr": 0.2}], lr=0.1)
new.load_state_dict(old.state_dict())
