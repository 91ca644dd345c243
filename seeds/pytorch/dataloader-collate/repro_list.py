from torch.utils.data import DataLoader

rows = [[1.0, 2.0], [3.0]]
for batch in DataLoader(rows, batch_size=2):
    print(batch)
