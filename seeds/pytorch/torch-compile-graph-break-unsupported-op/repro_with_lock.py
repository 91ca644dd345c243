"""An unsupported context manager."""
import threading

import torch

lock = threading.Lock()


@torch.compile(backend="eager", fullgraph=True)
def guarded(x):
    with lock:
        return x + 1


print(guarded(torch.ones(4)))
