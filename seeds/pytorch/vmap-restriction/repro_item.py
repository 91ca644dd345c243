"""A Python number read from a mapped tensor."""
import torch


def centre(x):
    middle = x.mean().item()
    return x - middle


print(torch.vmap(centre)(torch.ones(3, 2)))
