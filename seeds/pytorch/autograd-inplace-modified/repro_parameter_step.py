import torch

w = torch.nn.Parameter(torch.randn(3))
opt = torch.optim.SGD([w], lr=0.1)
loss = (w ** 3).sum()
penalty = (w ** 2).sum()
loss.backward()
opt.step()
penalty.backward()
print(w.grad.shape)
