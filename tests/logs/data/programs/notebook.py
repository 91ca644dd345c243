"""Runs cells in a real IPython shell and prints what a user would see."""

import os
import sys

from IPython.core.interactiveshell import InteractiveShell

import ops  # noqa: F401

shell = InteractiveShell.instance()
try:
    shell.colors = os.environ.get("COLOURS", "NoColor")
except Exception:
    shell.colors = os.environ.get("COLOURS", "nocolor").lower()
if "MODE" in os.environ:
    shell.run_line_magic("xmode", os.environ["MODE"])
shell.run_cell("import ops\nimport helper", store_history=True)
shell.run_cell("def forward(x):\n    y = x + 1\n    return ops.call(ops.allocate, y)\n", store_history=True)
if "module" in sys.argv:
    shell.run_cell("lr = 0.1\nhelper.run(ops.allocate)", store_history=True)
else:
    shell.run_cell("lr = 0.1\n# a comment\nout = forward(lr)\nprint(out)", store_history=True)
