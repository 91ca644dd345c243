import torch


def release(model):
    model.cpu()
    torch.cuda.empty_cache()


def train(cache, loader):
    for batch in loader:
        cache.empty_cache()
