import torch

print(torch.linalg.eigh(torch.full((3, 3), float("nan"))))
