from torch.utils.data import DataLoader


def loaders(data, sampler, workers):
    a = DataLoader(data, shuffle=sampler is None, sampler=sampler)
    b = DataLoader(data, num_workers=workers, persistent_workers=True)
    c = DataLoader(data, num_workers=2, prefetch_factor=2, persistent_workers=True)
    d = DataLoader(data, persistent_workers=False)
    e = DataLoader(data, 2, False, None, None, 4, persistent_workers=True)
    return a, b, c, d, e
