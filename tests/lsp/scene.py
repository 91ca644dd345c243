"""What the tests look at: a program of two files that fails under torch, and the logs of its failures.

The names of the files are a scene's own, so that many scenes in one workspace do not take each other's frames.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

LIMIT = "pytorch/compile-recompilation-limit"
MISMATCH = "pytorch/matmul-shape-mismatch"
#: A dead end that somebody takes while he types; the last line has characters of two and four bytes.
BAD = "import torch\n\ntorch._dynamo.config.recompile_limit = 0\nprint('é𝒳', torch.compile)\n"

_NET = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(12, 2)

    def forward(self, x):
        return self.head(x)
"""
_TRAIN = """\
import torch

from {net} import Net


def main():
    net = Net()
    net = torch.compile(net, dynamic=False)
    return net(torch.randn(4, 10))


main()
"""
_MISMATCH = """\
starting
epoch 0
Traceback (most recent call last):
  File "/home/user/project/{train}.py", line 12, in <module>
    main()
  File "/home/user/project/{train}.py", line 9, in main
    return net(torch.randn(4, 10))
  File "/usr/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1775, in _wrapped_call_impl
    return self._call_impl(*args, **kwargs)
  File "/home/user/project/{net}.py", line 11, in forward
    return self.head(x)
  File "/usr/lib/python3.11/site-packages/torch/nn/modules/linear.py", line 134, in forward
    return F.linear(input, self.weight, self.bias)
RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x10 and 12x2)
"""
_RANK = "W1130 20:03:39.305000 14311 torch/_dynamo/convert_frame.py:1994] [0/8] "
_LIMIT = f"""\
{_RANK}torch._dynamo hit config.recompile_limit (8)
{_RANK}   function: 'forward' (/home/user/project/{{net}}.py:10)
{_RANK}   last reason: 0/7: tensor 'x' rank mismatch. expected 2, actual 3
{_RANK}To log all recompilation reasons, use TORCH_LOGS="recompiles".
finished
"""


@dataclass(frozen=True)
class Scene:
    """A program and its logs in a folder of a workspace."""

    folder: Path
    train: Path
    net: Path
    #: Prints a traceback through both files, which ends in `net`.
    mismatch: str
    #: Names a function of `net`; what helps is done in `train`.
    limit: str

    #: 0-based lines: of `net`, where either failure is marked; of the mismatch's log, what stands where.
    RAISED = 10
    COMPILED = 9
    BEGIN, FRAME, DEEPEST, DECISIVE = 2, 5, 9, 13

    def log(self, text: str, name: str = "run.log") -> Path:
        """A log on disk."""
        path = self.folder / f"{self.train.stem}-{name}"
        path.write_text(text)
        return path


def make_scene(folder: Path, name: str) -> Scene:
    """Write the program."""
    names = {"train": f"{name}_train", "net": f"{name}_net"}
    train, net = (folder / f"{stem}.py" for stem in names.values())
    net.write_text(_NET)
    train.write_text(_TRAIN.format(**names))
    return Scene(folder, train, net, _MISMATCH.format(**names), _LIMIT.format(**names))
