"""Dynamo cannot look into a C function: a warning names it, and fullgraph=True raises."""
import zlib

import torch


@torch.compile(backend="eager", fullgraph=True)
def salted(x):
    return x + zlib.crc32(b"salt") % 7


print(salted(torch.ones(4)))
