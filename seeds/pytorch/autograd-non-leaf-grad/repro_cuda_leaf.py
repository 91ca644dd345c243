import torch

w = torch.ones(3, requires_grad=True).to(torch.float64)
optimizer_like = [w]
(w * 2).sum().backward()
for p in optimizer_like:
    if p.grad is not None:
        print(p.grad)
