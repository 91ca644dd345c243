import torch
from torch.utils.data import DataLoader

loader = DataLoader(torch.arange(8), num_workers=40)
for batch in loader:
    pass
print("done")
