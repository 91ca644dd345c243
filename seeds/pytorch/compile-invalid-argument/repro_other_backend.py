import torch
@torch.compile(backend="tensorrt")
def f(x):
    return x
f(torch.ones(1))
