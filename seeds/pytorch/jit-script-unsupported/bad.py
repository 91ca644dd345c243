import torch
from torch.jit import script


@torch.jit.script  # finding: 1
def double(x):
    return x * 2


@script  # finding: 1
def triple(x):
    return x * 3


model = torch.jit.script(torch.nn.Linear(2, 2))  # finding: 1
