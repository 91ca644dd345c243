import torch

seen = [torch.ones(2), torch.zeros(2)]
print(torch.zeros(2) in seen)
