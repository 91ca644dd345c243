"""Code that Dynamo runs while tracing raises: a metaclass whose __getattr__ raises KeyError instead of AttributeError."""
import torch


class Registry(type):
    entries = {"gain": 2.0}

    def __getattr__(cls, name):
        return cls.entries[name]


class Settings(metaclass=Registry):
    bias = 1.0


def affine(x, settings):
    return x * 2 + settings.bias


@torch.compile(backend="eager")
def step(x):
    return affine(x, Settings())


print(step(torch.ones(2)))
