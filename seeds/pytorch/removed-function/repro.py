import torch

a = torch.tensor([[2.0, 0.0], [0.0, 4.0]])
b = torch.tensor([[2.0], [4.0]])
x = torch.solve(b, a)[0][:, 0]
print(x)
