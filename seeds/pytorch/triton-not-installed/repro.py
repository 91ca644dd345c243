"""Needs a CUDA GPU and a Python without triton (pip uninstall triton)."""
import torch


@torch.compile
def wave(x):
    return torch.sin(x) + 1


print(wave(torch.ones(16, device="cuda")))
