import torch
p, g = torch.ones(2), torch.ones(2)
p.data.add_(-0.1, g)
