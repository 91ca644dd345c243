import torch

x = torch.ones(3)
loss = (x * 2).sum()
loss.backward()
print(x.grad)
