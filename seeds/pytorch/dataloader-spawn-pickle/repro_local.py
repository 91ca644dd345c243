import torch
from torch.utils.data import DataLoader, TensorDataset


def main():
    def collate(rows):
        return torch.stack([r[0] for r in rows])

    loader = DataLoader(TensorDataset(torch.arange(4.0)), num_workers=1, collate_fn=collate, multiprocessing_context="spawn")
    print(len(list(loader)))


if __name__ == "__main__":
    main()
