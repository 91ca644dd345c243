import torch

x = torch.randn(4, requires_grad=True)
hidden = x.tanh()
loss = hidden.sum()
loss.backward()
print("gradient at hidden:", hidden.grad)
