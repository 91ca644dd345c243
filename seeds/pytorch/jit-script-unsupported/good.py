import torch


def script(function):
    return function


@script
def double(x):
    return x * 2


@torch.compile
def triple(x):
    return x * 3


if torch.jit.is_scripting():
    print("scripting")
