import torch

device = torch.device("gpu:0")
print(torch.ones(2, device=device))
