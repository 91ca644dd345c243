import torch

used = torch.randn(3, requires_grad=True)
unused = torch.randn(3, requires_grad=True)
loss = used.exp().sum()
grads = torch.autograd.grad(loss, (used, unused))
print(len(grads))
