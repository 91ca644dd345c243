"""Run a command unchanged, show the card below a failure, tell open editors; ends as the command did."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

from detour_lsp.cli.knowledge_options import add_knowledge_arguments, open_from_options
from detour_lsp.cli.main import WRONG_USE
from detour_lsp.logs.pseudo_terminal import end_like
from detour_lsp.logs.pseudo_terminal import run as run_command

if TYPE_CHECKING:
    from detour_lsp.logs.incident import Incident
    from detour_lsp.logs.scan import Stream

#: Cards of so many different records at most; the rest is named in a line.
MAX_CARDS = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `detour run`."""
    parser.add_argument(
        "--root", metavar="DIR", type=Path, help="the project that the frames belong to (default: here)"
    )
    parser.add_argument("--no-card", action="store_true", help="show nothing, only tell open editors")
    parser.add_argument(
        "--pipe",
        action="store_true",
        help="give the command a pipe instead of a terminal, as is always done on Windows",
    )
    add_knowledge_arguments(parser)
    parser.add_argument(
        "command", nargs=argparse.REMAINDER, metavar="[--] CMD ...", help="the command and its arguments"
    )


def run(options: argparse.Namespace) -> int:
    """Carry out `detour run`."""
    command: list[str] = options.command
    if command and command[0] == "--":
        command = command[1:]
    if not command:
        sys.stderr.write("detour run: give the command to run, such as: detour run -- python train.py\n")
        return WRONG_USE
    listener = _Listener(options)
    outcome = run_command(command, listener.hear, pipes=options.pipe)
    if outcome.note:
        sys.stderr.write(f"detour run: {outcome.note}\n")
    if not outcome.started:
        return outcome.status
    try:
        listener.tell(command, outcome.status)
    except Exception as error:
        # Whatever goes wrong here, the command's own end is what the caller relies on.
        sys.stderr.write(f"detour run: the output could not be analysed: {type(error).__name__}: {error}\n")
    return end_like(outcome)


class _Listener:
    """Scans the output while it comes, and keeps its end for open editors."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._stream: Stream | None = None
        self._tail: deque[bytes] = deque()
        self._size = 0

    def hear(self, data: bytes) -> None:
        """Take a piece of the output; called in another thread than the rest."""
        from detour_lsp.workspace.handover import MOST_CHARACTERS

        if self._stream is None:
            # Records are opened when the program says its first word, not before it starts.
            from detour_lsp.logs.scan import Scanner

            root = (self._options.root or Path.cwd()).resolve()
            self._knowledge = open_from_options(self._options, root)
            self._root = root
            self._stream = Scanner(self._knowledge).stream("<output>")
        self._stream.feed(data)
        self._tail.append(data)
        self._size += len(data)
        while self._size - len(self._tail[0]) > MOST_CHARACTERS:
            self._size -= len(self._tail.popleft())

    def tell(self, command: list[str], status: int) -> None:
        """The command has ended: show what is known, and tell open editors."""
        if self._stream is None:
            return
        self._stream.close()
        incidents = self._stream.incidents()
        if not incidents:
            return
        self._hand_over(command, status)
        # Warnings of a run that went well are for the editor; below its output they would only be in the way.
        worth = incidents if status else [i for i in incidents if i.level == "error"]
        if worth and not self._options.no_card:
            self._show(worth)

    def _hand_over(self, command: list[str], status: int) -> None:
        from detour_lsp.workspace.handover import Failure, hand_over

        text = b"".join(self._tail).decode("utf-8", "replace")
        try:
            hand_over(Failure(shlex.join(command), os.getcwd(), status, text))
        except OSError as error:
            sys.stderr.write(f"detour run: open editors cannot be told: {error}\n")

    def _show(self, incidents: list[Incident]) -> None:
        from detour_lsp.card import compose_card, title_of
        from detour_lsp.card.labels import language_of
        from detour_lsp.cli.incident_text import card_context
        from detour_lsp.cli.locale import user_locale
        from detour_lsp.cli.terminal import print_markdown
        from detour_lsp.logs.resolve import resolve

        language = language_of(user_locale())
        causes = [i for i in incidents if i.level == "error"] or incidents
        out = sys.stderr
        out.write("\n")
        for incident in causes[:MAX_CARDS]:
            resolved = resolve(incident, self._root)
            record = self._knowledge.records[incident.record]
            if resolved.user_frame is not None:
                file = resolved.resolved or resolved.user_frame.file
                out.write(f"{file}:{resolved.current_line or resolved.user_frame.line}\n")
            print_markdown(compose_card(record, card_context(resolved, None, language)), out)
        for incident in causes[MAX_CARDS:]:
            out.write(f"also: {title_of(self._knowledge.records[incident.record], language)} [{incident.record}]\n")
