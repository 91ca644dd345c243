import torch

buffer = torch.zeros(3)
buffer += torch.ones(2, 3)
