"""Which command lines are runs of the same thing."""

from __future__ import annotations

import pytest

from detour_lsp.workspace.commands import command_identity


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("python train.py", "python train.py --lr 3", True),
        ("python train.py", "python3 -u train.py", True),
        ("detour run -- python train.py", "python train.py", True),
        ("torchrun --nproc 2 train.py", "torchrun --nproc 8 train.py", True),
        ("python train.py", "python test.py", False),
        ("python a/train.py", "python b/train.py", False),
        ("python -m pkg.train", "python -m pkg.train x", True),
        ("python -m torch.distributed.run train.py", "python train.py", True),
        ("python train.py", "CUDA_VISIBLE_DEVICES=1 python train.py 2>&1 | tee run.log", True),
        ("python train.py", "cd . && /usr/bin/time -v python3.11 train.py", True),
        ("python train.py", "./train.py", True),
        ("python train.py", "& C:/Python311/python.exe train.py", True),
        ("python train.py", "vim train.py", False),
        ("python train.py", "git diff train.py", False),
        ("python train.py", "cat train.py | less", False),
        ("launch --fast train.py", "launch train.py", True),
        ("make x", "make y", False),
        ("python 'unclosed", "python 'unclosed", True),
    ],
)
def test_what_counts_as_the_same_command(first: str, second: str, same: bool) -> None:
    assert (command_identity(first, "/w") == command_identity(second, "/w")) is same
    assert command_identity(first, "/w") != command_identity(first, "/elsewhere")
