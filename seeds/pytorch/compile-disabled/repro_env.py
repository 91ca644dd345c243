"""The same through the environment."""
import os

os.environ["TORCH_COMPILE_DISABLE"] = "1"
import torch  # noqa: E402


@torch.compile(backend="eager", fullgraph=True)
def double(x):
    return x * 2


print(double(torch.ones(3)))
