import torch

w = torch.randn(3, requires_grad=True)
scale = w.exp()
for step in range(3):
    loss = (scale * step).sum()
    loss.backward()
print(w.grad)
