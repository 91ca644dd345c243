"""torch.jit.script is deprecated (the warning is hidden by default up to torch 2.13)."""
import warnings

warnings.simplefilter("always")
import torch  # noqa: E402


@torch.jit.script
def double(x):
    return x * 2


print(double(torch.ones(2)))
