import torch
from torch.utils.data import DataLoader

loader = DataLoader(torch.arange(8), pin_memory=True)
print(sum(int(batch) for batch in loader))
