import torch

weight = torch.randn(4, requires_grad=True)
features = torch.randn(8, 4)
hidden = (features @ weight).tanh()
first = hidden.mean()
second = hidden.pow(2).mean()
first.backward()
second.backward()
print(weight.grad.shape)
