"""No C++ compiler is on PATH."""
import os

os.environ["PATH"] = "/nonexistent"
os.environ.pop("CXX", None)
import torch  # noqa: E402


@torch.compile
def wave(x):
    return torch.sin(x) * 2


print(wave(torch.ones(16)))
