import torch
import torch.utils.checkpoint as cp

block = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.ReLU())
x = torch.ones(2, 3, requires_grad=True)
cp.checkpoint(block, x).sum().backward()
print(x.grad is not None)
