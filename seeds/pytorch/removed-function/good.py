import numpy as np
import torch


def decompose(a, b):
    values, vectors = torch.linalg.eigh(a)
    x = torch.linalg.solve(a, b)
    if hasattr(torch, "symeig"):
        torch.symeig(a)
    return values, vectors, x, np.linalg.matrix_rank(a), a.lstsq
