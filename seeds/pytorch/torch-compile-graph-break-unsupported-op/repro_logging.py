"""A logger call inside a compiled function is a graph break."""
import logging

import torch

logger = logging.getLogger("net")


@torch.compile(backend="eager", fullgraph=True)
def block(x):
    logger.info("got %s", x.shape)
    return x.exp()


print(block(torch.ones(4)))
