import torch

x = torch.zeros(4)
x[4] = 1.0
