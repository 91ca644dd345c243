import torch

x = torch.randn(2, 5, requires_grad=True)
mask = x.softmax(-1)
mask[:, 0] = 0.0
(mask * mask).sum().backward()
print(x.grad.shape)
