from torch.utils.data import DataLoader, RandomSampler

rows = list(range(6))
loader = DataLoader(rows, batch_size=2, shuffle=True, sampler=RandomSampler(rows))
print(len(loader))
