import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
out = model(torch.randn(8, 4))
loss_a = out.mean()
loss_b = out.pow(2).mean()
loss_a.backward(retain_graph=True)
opt.step()
loss_b.backward()
opt.step()
print("done")
