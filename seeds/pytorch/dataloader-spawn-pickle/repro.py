import torch
from torch.utils.data import DataLoader, TensorDataset


def main():
    data = TensorDataset(torch.arange(4.0))
    loader = DataLoader(data, batch_size=2, num_workers=1, collate_fn=lambda rows: torch.stack([r[0] for r in rows]), multiprocessing_context="spawn")
    for batch in loader:
        print(batch)


if __name__ == "__main__":
    main()
