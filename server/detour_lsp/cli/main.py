"""The command `detour`: finds the subcommand and imports only that one: start-up time is part of the product."""

from __future__ import annotations

import errno
import importlib
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from detour_lsp.version import __version__

if TYPE_CHECKING:
    import argparse

#: Exit statuses of `scan` and `check` (DESIGN section 6).
NOTHING_FOUND, SOMETHING_FOUND, WRONG_USE, INTERNAL_ERROR = 0, 1, 2, 3

#: A full disk and the like: nothing is wrong with the program.
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})

#: Subcommand -> what it does; the module of the same name in this package has `add_arguments` and `run`.
COMMANDS = {
    "scan": "incidents in logs; folders are walked, - is standard input",
    "check": "findings in Python files and notebooks",
    "fix": "the recommended repair for the incidents of a log",
    "run": "run a command unchanged and show the card below a failure",
    "follow": "follow growing logs live",
    "explain": "the card of a record, or of the error in a text",
    "kb": "the knowledge base: list, show, check, verify, new, docs, import",
    "server": "the language server",
}


class UsageError(Exception):
    """Wrong use that only shows while a command runs: a message for the person, exit status 2."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status; never raises for what a user can cause."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words and words[0] in ("--version", "-V"):
        return _version(verbose="--verbose" in words[1:] or "-v" in words[1:])
    command = next((word for word in words if not word.startswith("-")), "")
    try:
        status = _dispatch(words, command)
        # Here and not at exit, where nobody could say what went wrong.
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader went away (`detour scan | head`): not an error of ours. Python would complain again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return SOMETHING_FOUND
    except UsageError as error:
        sys.stderr.write(f"detour: {error}\n")
        return WRONG_USE
    except OSError as error:
        if error.errno not in _NO_ROOM:
            return _internal_error(error)
        sys.stderr.write(f"detour: the output cannot be written: {error.strerror}\n")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return INTERNAL_ERROR
    except Exception as error:
        return _internal_error(error)


def _dispatch(words: list[str], command: str) -> int:
    import argparse

    class Parser(argparse.ArgumentParser):
        def error(self, message: str) -> None:  # type: ignore[override]
            self.print_usage(sys.stderr)
            sys.stderr.write(f"detour: {message}\n")
            raise SystemExit(WRONG_USE)

    lines = "\n".join(f"  {name:8} {text}" for name, text in COMMANDS.items())
    parser = Parser(
        prog="detour",
        description="Recognises PyTorch errors, marks the line that raised them, and applies the repair that works.",
        epilog=f"commands:\n{lines}\n\n`detour COMMAND --help` tells more, `detour --version --verbose` the engine.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="detour COMMAND ...",
    )
    if command not in COMMANDS:
        if not command and any(word in ("-h", "--help") for word in words):
            parser.print_help()
            return NOTHING_FOUND
        if not words:
            parser.print_help(sys.stderr)
            return WRONG_USE
        sys.stderr.write(_unknown(command or words[0]))
        return WRONG_USE
    module = importlib.import_module(f"detour_lsp.cli.{command}")
    sub = Parser(
        prog=f"detour {command}",
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_arguments(sub)
    position = words.index(command)
    try:
        options: argparse.Namespace = sub.parse_args(words[:position] + words[position + 1 :])
    except SystemExit as stop:
        return int(stop.code or 0)
    return int(module.run(options))


def _unknown(command: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(command, COMMANDS, 1)
    hint = f"; did you mean `detour {near[0]}`?" if near else f"; commands are {', '.join(COMMANDS)}"
    return f"detour: no command {command!r}{hint}\n"


def _version(*, verbose: bool) -> int:
    sys.stdout.write(f"detour {__version__}\n")
    if verbose:
        from detour_lsp.cli.about import describe

        sys.stdout.write(describe())
    return NOTHING_FOUND


def _internal_error(error: Exception) -> int:
    sys.stderr.write(f"detour: internal error: {type(error).__name__}: {error}\n")
    if os.environ.get("DETOUR_TRACEBACK"):
        import traceback

        traceback.print_exception(error)
    else:
        sys.stderr.write("Set DETOUR_TRACEBACK=1 to see where, and please report it with that text.\n")
    return INTERNAL_ERROR


if __name__ == "__main__":
    sys.exit(main())
