from torch.utils.data import DataLoader

loader = DataLoader(
    list(range(6)),
    batch_size=3,
    persistent_workers=True,
)
print(len(loader))
