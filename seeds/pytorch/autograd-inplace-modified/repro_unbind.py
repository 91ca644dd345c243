import torch

x = torch.randn(3, 2, requires_grad=True) * 1
first, second, third = x.unbind(0)
first += 1
x.sum().backward()
