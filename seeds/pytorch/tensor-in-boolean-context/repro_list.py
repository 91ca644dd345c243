import torch

rows = [torch.ones(2), torch.zeros(2)]
print(torch.tensor(rows))
