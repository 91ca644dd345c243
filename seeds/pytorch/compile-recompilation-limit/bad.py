import torch
import torch._dynamo as dynamo
from torch._dynamo import config as cfg

torch._dynamo.config.recompile_limit = 0  # finding: 1


def alias():
    dynamo.config.cache_size_limit = -1  # finding: 1


def from_import():
    cfg.accumulated_recompile_limit = 0  # finding: 1


def through_setattr():
    setattr(cfg, "recompile_limit", 0)  # finding: 1


def none():
    torch._dynamo.config.cache_size_limit = None  # finding: 2


def huge():
    torch._dynamo.config.cache_size_limit = 1_000_000  # finding: 3


def power():
    cfg.recompile_limit = 2**16  # finding: 3


def sweep(make, batches):
    for width, batch in zip(range(20), batches):
        net = make(width)
        net = torch.compile(net)  # finding: 6
        net(batch)
