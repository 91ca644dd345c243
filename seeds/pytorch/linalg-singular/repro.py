import torch

a = torch.tensor([[1.0, 2.0], [2.0, 4.0]])
b = torch.tensor([[1.0], [2.0]])
print(torch.linalg.solve(a, b))
