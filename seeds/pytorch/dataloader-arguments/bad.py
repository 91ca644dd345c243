from torch.utils.data import DataLoader, RandomSampler


def loaders(data):
    a = DataLoader(data, shuffle=True, sampler=RandomSampler(data))  # finding: 2
    b = DataLoader(data, persistent_workers=True)  # finding: 3
    c = DataLoader(data, num_workers=0, prefetch_factor=2)  # finding: 3
    return a, b, c
