import torch
import torch._dynamo
from dataclasses import dataclass


@dataclass
class Config:
    recompile_limit: int = 0


config = Config()
config.recompile_limit = 0
torch._dynamo.config.recompile_limit = 64
torch._dynamo.config.cache_size_limit = 256
torch._dynamo.config.accumulated_recompile_limit = 1024
torch._dynamo.config.recompile_limit = max(torch._dynamo.config.recompile_limit, 16)
if torch._dynamo.config.cache_size_limit == 0:
    print("compilation is off")


def configure(limit: int) -> None:
    torch._dynamo.config.recompile_limit = limit


def compile_layers(model) -> None:
    for index, layer in enumerate(model.layers):
        model.layers[index] = torch.compile(layer)


def isolated(widths, batch) -> None:
    for width in widths:
        net = torch.compile(torch.nn.Linear(width, 2), isolate_recompiles=True)
        net(batch)
