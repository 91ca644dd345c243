import torch
from torch import matrix_rank  # finding: 2


def decompose(a, b):
    values, vectors = torch.symeig(a, eigenvectors=True)  # finding: 2
    x, _ = torch.solve(b, a)  # finding: 2
    return values, vectors, x, torch.lstsq(b, a), matrix_rank(a)  # finding: 2
