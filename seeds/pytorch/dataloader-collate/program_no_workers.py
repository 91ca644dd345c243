"""The same collate function runs in the main process."""

import torch
from torch.utils.data import DataLoader

next(iter(DataLoader([torch.zeros(3), torch.zeros(5)], batch_size=2, num_workers=0)))
