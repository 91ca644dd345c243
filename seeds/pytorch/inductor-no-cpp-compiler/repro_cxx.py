"""CXX names a compiler that does not exist."""
import os

os.environ["CXX"] = "/opt/missing/bin/g++"
import torch  # noqa: E402


@torch.compile
def wave(x):
    return torch.cos(x) * 2


print(wave(torch.ones(16)))
