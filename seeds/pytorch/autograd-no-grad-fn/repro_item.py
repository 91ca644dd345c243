import torch

w = torch.nn.Parameter(torch.ones(2))
total = 0.0
for x in torch.randn(3, 2):
    total += (w * x).sum().item()
torch.tensor(total).backward()
