from torch.utils.data import DataLoader

for batch in DataLoader(list(range(6)), batch_size=3, prefetch_factor=4):
    print(batch)
