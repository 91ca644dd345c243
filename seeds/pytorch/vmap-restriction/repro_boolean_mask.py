import torch
torch.vmap(lambda x: x[x > 0].sum())(torch.ones(4, 3))
