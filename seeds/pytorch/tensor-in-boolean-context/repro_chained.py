import torch
x = torch.rand(5)
y = x[0.2 < x < 0.8]
