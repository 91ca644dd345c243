import torch

w = torch.randn(3, requires_grad=True)
for _ in range(2):
    loss = (w ** 2).sum()
    loss.backward()
    w -= 0.1 * w.grad
    w.grad.zero_()
print(w.is_leaf)
