import torch

values, vectors = torch.symeig(torch.eye(3), eigenvectors=True)
print(values)
