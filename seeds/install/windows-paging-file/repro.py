import torch
from torch.utils.data import DataLoader, TensorDataset
# needs Windows with a small paging file
if __name__ == "__main__":
    loader = DataLoader(TensorDataset(torch.zeros(64, 2)), num_workers=16)
    print(len(list(loader)))
