import torch
from torch.utils.data import DataLoader

loader = DataLoader(torch.arange(6), batch_size=2, num_workers=1, multiprocessing_context="spawn")
for batch in loader:
    print(batch)
print("finished")
