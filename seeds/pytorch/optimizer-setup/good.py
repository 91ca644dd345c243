import torch


def make(model, settings):
    return torch.optim.AdamW(model.parameters(), lr=float(settings["lr"]))


def other(model, rate):
    return torch.optim.SGD(model.parameters(), lr=rate)
