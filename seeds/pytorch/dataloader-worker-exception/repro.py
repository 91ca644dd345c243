import torch
from torch.utils.data import DataLoader, Dataset


class Table(Dataset):
    rows = [1.0, 2.0, 3.0]

    def __len__(self):
        return 5

    def __getitem__(self, index):
        return torch.tensor(self.rows[index])


for batch in DataLoader(Table(), num_workers=1):
    print(batch)
