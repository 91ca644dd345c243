import torch
@torch.jit.script
def f(x, scale: float = None):
    return x * scale
