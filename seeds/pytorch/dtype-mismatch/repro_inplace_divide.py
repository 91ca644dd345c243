import torch

counts = torch.tensor([2, 4, 6])
counts.div_(2)
print(counts)
