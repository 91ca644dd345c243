"""default_collate cannot stack None."""

import torch
from torch.utils.data import DataLoader, Dataset


class Items(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        try:
            return {"a": torch.ones(1)}["b"]
        except KeyError:
            return None


for batch in DataLoader(Items(), batch_size=2, num_workers=1):
    pass
