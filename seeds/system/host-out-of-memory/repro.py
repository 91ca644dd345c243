import torch

rows, columns = 2**24, 2**24  # a wrong shape: 1 PB
scores = torch.empty(rows, columns)
print(scores.shape)
