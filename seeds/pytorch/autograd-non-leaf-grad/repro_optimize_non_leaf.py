import torch

w = torch.randn(3, requires_grad=True) * 0.01
optimizer = torch.optim.SGD([w], lr=0.1)
