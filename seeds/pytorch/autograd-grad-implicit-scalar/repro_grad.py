import torch

x = torch.randn(3, requires_grad=True)
y = x.sin()
(g,) = torch.autograd.grad(y, x)
print(g.shape)
