import torch

print(torch.linalg.cholesky(torch.eye(3, dtype=torch.bfloat16)))
