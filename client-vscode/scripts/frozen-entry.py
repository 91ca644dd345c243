"""What the frozen server starts with: the command line of Detour, in the environment that the user's programs expect."""

import multiprocessing
import os
import sys

# The launcher points the dynamic linker at our own libraries. Programs that `detour run` starts must not inherit that.
for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
    original = os.environ.pop(f"{name}_ORIG", None)
    if original is not None:
        os.environ[name] = original
    elif getattr(sys, "frozen", False):
        os.environ.pop(name, None)

if __name__ == "__main__":
    multiprocessing.freeze_support()
    from detour_lsp.cli.main import main

    sys.exit(main())
