import torch

rows, columns = torch.meshgrid(torch.arange(2), torch.arange(3))
print(rows.shape, columns.shape)
