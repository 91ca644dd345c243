import time
import torch
@torch.compile(backend="eager", fullgraph=True)
def f(x):
    time.sleep(0.01)
    return x + 1
f(torch.ones(3))
