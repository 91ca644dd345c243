import torch


def release(model):
    model.cpu()
    torch.cuda.empty_cache()


def train(cache, loader):
    for batch in loader:
        cache.empty_cache()


def careful(args, loader, step):
    for number, batch in enumerate(loader):
        step(batch)
        if args.empty_cache_steps and number % args.empty_cache_steps == 0:
            torch.cuda.empty_cache()


def recover(loader, step):
    for batch in loader:
        try:
            step(batch)
        except torch.cuda.OutOfMemoryError:
            torch.cuda.empty_cache()
