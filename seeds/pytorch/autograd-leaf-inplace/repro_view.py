import torch

table = torch.nn.Parameter(torch.randn(5, 3))
table[0] = 0.0
print(table.requires_grad)
