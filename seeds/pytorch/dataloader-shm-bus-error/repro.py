import os
import signal
import torch
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        if index == 1:
            os.kill(os.getpid(), signal.SIGBUS)  # what a write into a full /dev/shm does
        return torch.zeros(2)


for batch in DataLoader(Images(), num_workers=1):
    print(batch.shape)
