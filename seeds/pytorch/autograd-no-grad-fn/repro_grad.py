import torch

x = torch.randn(3)
y = (x ** 2).sum()
(g,) = torch.autograd.grad(y, x)
print(g)
