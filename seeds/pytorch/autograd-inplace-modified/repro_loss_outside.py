import torch

w = torch.nn.Parameter(torch.randn(3))
opt = torch.optim.SGD([w], lr=0.1)
loss = (w ** 3).sum()
for _ in range(2):
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
print("done")
