import torch

counts = torch.arange(4)
counts += 0.5
print(counts)
