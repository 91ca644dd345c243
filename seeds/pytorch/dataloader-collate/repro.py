import torch
from torch.utils.data import DataLoader, Dataset


class Sentences(Dataset):
    lengths = [4, 2, 6]

    def __len__(self):
        return 3

    def __getitem__(self, index):
        return torch.arange(self.lengths[index]), index


for tokens, label in DataLoader(Sentences(), batch_size=3):
    print(tokens.shape, label)
