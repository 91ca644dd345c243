"""The C++ compiler that CXX names fails (here: it does not find a header)."""
import os
import pathlib

compiler = pathlib.Path("failing-g++").resolve()
compiler.write_text('#!/bin/sh\ncase "$*" in *--version*|*-v) exec g++ "$@";; esac\necho "main.cpp:1:10: fatal error: Python.h: No such file" >&2\nexit 1\n')
compiler.chmod(0o755)
os.environ["CXX"] = str(compiler)
import torch  # noqa: E402


@torch.compile
def wave(x):
    return torch.sin(x) + torch.cos(x)


print(wave(torch.ones(16)))
