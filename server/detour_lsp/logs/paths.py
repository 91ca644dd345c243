"""Whose code a file is: the user's own, or a library's, the interpreter's, or a generated file.

The file usually is on another machine, so only its path can tell. Both kinds of slashes occur, doubled ones too.
"""

from __future__ import annotations

import re
import sys
from functools import lru_cache

from detour_lsp.logs.later import later

_LIBRARY = later(
    r"/(?:site|dist)-packages/"
    r"|/(?:lib|lib64|libs)/python\d?(?:\.\d+)?(?:t|d)?/"
    r"|/lib/python\d+\.zip/|\.egg/|\.whl/|\.zip/"
    r"|/\.local/lib/|/\.cache/(?:uv|pypoetry|pip|huggingface|torch/hub)/|/transformers_modules/"
    r"|/pyenv/versions/|/Frameworks/Python\.framework/"
    r"|/python(?:\d{2,3}|\d\.\d+|3?_embed\w*)?/lib/|/(?:Programs/)?Python/?Python\d{2,3}(?:-\d+)?/lib/"
    r"|/torchinductor_[^/]*/|/torch_compile_cache/|/\.triton/|/triton_cache/|/tmp/torch_compile"
    r"|/[a-z2-7]{2}/c[a-z2-7]{50,}\.(?:py|cpp)$"
    r"|/importlib/_bootstrap|^importlib\._bootstrap|/_pytest/|/pluggy/_"
    r"|/bazel-out/|/runfiles/|/bin/[\w-]+$|/Scripts/[\w-]+(?:\.exe(?:/__main__\.py)?|-script\.py)?$",
    re.IGNORECASE,
)
#: A checkout of torch itself: its own folders under `torch/`.
_TORCH = later(
    r"(?:^|/)torch/(?:_\w+(?:\.py)?|nn|ao|amp|autograd"
    r"|backends|compiler|contrib|cpu|cuda"
    r"|distributed|distributions|export|fft|func|functional\.py|futures|fx|hub\.py|jit|library\.py|linalg|masked"
    r"|mps|mtia"
    r"|multiprocessing|nested|onnx|optim|overrides\.py|package|profiler|quantization|random\.py|return_types"
    r"|serialization\.py|signal|sparse"
    r"|special|storage\.py|testing|utils|xpu|accelerator|__init__\.py|_VF\.py|_tensor_str\.py|csrc)(?:/|$)"
    # Dynamo and Inductor before they came into torch.
    r"|/torchdynamo/torch(?:dynamo|inductor)/"
)
#: Torch's own files where a poster has left the folders above them out (`~/.../_tensor.py`).
_LEFT_OUT = later(
    r"/(?:\.\.\.|…)/(?:torch/)?(?:_tensor\.py|_utils\.py|serialization\.py|autograd/(?:__init__|graph|function|_functions/utils)\.py"
    r"|nn/(?:modules|parallel)/\w+\.py|nn/functional\.py|modules/module\.py|_(?:dynamo|inductor|functorch|subclasses)/"
    r"|utils/(?:data/|_contextlib\.py|checkpoint\.py)|distributed/(?:distributed_c10d|elastic/|fsdp/)"
    r"|optim/(?:optimizer|lr_scheduler)\.py)"
)
#: Folders of the standard library in an interpreter that lies in a folder of any name (`D:/anaconda3/envs/x/lib/...`).
_STDLIB_FOLDERS = frozenset(
    [
        "asyncio",
        "collections",
        "concurrent",
        "ctypes",
        "email",
        "encodings",
        "http",
        "importlib",
        "json",
        "logging",
        "multiprocessing",
        "unittest",
        "urllib",
        "xml",
        "wsgiref",
        "curses",
        "dbm",
    ]
)
_INTERPRETER_LIB = later(
    r"/(?:[^/]*(?:conda|python|miniforge|mambaforge|micromamba|venv|virtualenv|pyenv|winpython)[^/]*|envs/[^/]+"
    r"|usr|opt)(?:/[^/]+){0,3}?/lib/([^/]+)(/|$)",
    re.IGNORECASE,
)
_BARE_STDLIB = frozenset(
    f"{name}.py"
    for name in (
        "runpy",
        "threading",
        "queue",
        "pickle",
        "contextlib",
        "socket",
        "inspect",
        "functools",
        "weakref",
        "warnings",
    )
)
_PSEUDO = later(
    r"^<(?!ipython-input|stdin|string|cell|module|console|doctest|input|command-)[^>]*>$|^<string>$|^<frozen "
    r"|^<unknown|^<eval_with_key>|^<attrs |^<__array_function__|^<decorator-gen|^code/__torch__"
    r"|^<lambdifygenerated|^<@beartype|^<fstring"
)
_CELL = later(
    r"^(?:<ipython-input-(\d+)|(?:Cell )?In ?\[(\d+)\]|Input In \[(\d+)\]|<cell)|/ipykernel_\d+/"
    r"|/ipython-input-\d+|^<command-"
)
_COMPILED = (".cpp", ".cc", ".cu", ".h", ".hpp", ".cuh", ".so", ".pyd", ".dll", ".c", ".pyx", ".pxi", ".pxd")


def normalise(path: str) -> str:
    """Forward slashes, single, without `file://` and without blanks around."""
    path = path.strip().strip("'\"")
    if path.startswith("file://"):
        path = path[7:]
    return re.sub(r"(?<!^)/{2,}", "/", path.replace("\\", "/"))


def is_cell(path: str) -> bool:
    """Whether the path stands for a notebook cell."""
    return bool(_CELL.search(path))


@lru_cache(maxsize=4096)
def is_user(path: str) -> bool:
    """Whether a frame in this file is the user's own code."""
    path = normalise(path)
    if not path.strip(".…") or _PSEUDO.search(path):
        return False
    if is_cell(path) or path == "<stdin>":
        return True
    if _LIBRARY.search(path) or _TORCH.search(path) or _LEFT_OUT.search(path):
        return False
    match = _INTERPRETER_LIB.search(path)
    if match and (match[1] in _STDLIB_FOLDERS or match[1].removesuffix(".py") in sys.stdlib_module_names):
        return False
    if "/" not in path and path in _BARE_STDLIB:
        return False
    # C sources show up in C++ frames only; Cython's name a place in the tree that a library was built from.
    return not path.lower().endswith(_COMPILED)
