"""A random operation under vmap."""
import torch


def jitter(x):
    return x + torch.randn_like(x)


print(torch.vmap(jitter)(torch.zeros(3, 2)).shape)
