import os

from rich.console import Console

import ops

console = Console(width=int(os.environ.get("WIDTH", "100")), force_terminal=bool(os.environ.get("COLOUR")), legacy_windows=False)


def forward(batch):
    scale = 3
    return ops.call(ops.allocate, [batch] * scale)  # HERE


def main():
    forward(2)


try:
    main()
except RuntimeError:
    console.print_exception(show_locals=bool(os.environ.get("LOCALS")), suppress=[])
