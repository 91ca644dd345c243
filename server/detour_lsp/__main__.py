"""Lets `python -m detour_lsp` stand for the command `detour`."""

import sys

from detour_lsp.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
