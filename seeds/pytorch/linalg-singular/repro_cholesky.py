import torch

cov = torch.tensor([[1.0, 1.0], [1.0, 1.0]])
print(torch.linalg.cholesky(cov))
