import torch
from torch.utils.data import DataLoader


def load(i):
    return torch.ones(2) if i % 2 else None


samples = [load(i) for i in range(4)]
for batch in DataLoader(samples, batch_size=2):
    print(batch.shape)
