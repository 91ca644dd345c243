import torch


def restore(path, trusted):
    state = torch.load(path, map_location="cpu", weights_only=True)
    other = torch.load(path)
    own = torch.load(path, weights_only=trusted)
    return state, other, own
