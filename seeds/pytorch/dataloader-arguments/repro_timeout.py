from torch.utils.data import DataLoader

loader = DataLoader(list(range(4)), timeout=30)
print(len(list(loader)))
