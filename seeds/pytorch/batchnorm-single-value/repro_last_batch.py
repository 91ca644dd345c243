import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 1))
loader = DataLoader(TensorDataset(torch.randn(9, 4)), batch_size=4)
for (batch,) in loader:
    model(batch).mean().backward()
print("done")
