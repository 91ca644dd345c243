import os
import signal
import torch
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __len__(self):
        return 6

    def __getitem__(self, index):
        if index == 2:
            os.kill(os.getpid(), signal.SIGKILL)  # what the out-of-memory killer does
        return torch.ones(3)


for batch in DataLoader(Rows(), batch_size=2, num_workers=1):
    print(batch.shape)
