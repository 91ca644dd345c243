"""Code that Dynamo runs while tracing raises: a tensor subclass with a broken __torch_function__."""
import torch


class Tagged(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        raise ValueError("no rule for this function")


@torch.compile(backend="eager")
def shift(x):
    return x + 1


print(shift(torch.ones(2).as_subclass(Tagged)))
