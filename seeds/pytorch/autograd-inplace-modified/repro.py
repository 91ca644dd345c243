import torch

x = torch.randn(5, requires_grad=True)
gate = torch.sigmoid(x)
gate *= 2
gate.sum().backward()
print(x.grad.shape)
