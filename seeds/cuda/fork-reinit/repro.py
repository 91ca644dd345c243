import torch
from torch.utils.data import DataLoader, Dataset
# needs a GPU


class OnGpu(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        return torch.ones(2, device="cuda") * i


torch.ones(1, device="cuda")
for batch in DataLoader(OnGpu(), num_workers=1):
    print(batch.sum())
