import torch

print(torch.zeros(2, 2).inverse())
