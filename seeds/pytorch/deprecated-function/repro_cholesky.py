import torch

factor = torch.cholesky(torch.eye(2))
print(factor)
