import torch

a = torch.ones(3, 3)
print(torch.linalg.inv(a))
