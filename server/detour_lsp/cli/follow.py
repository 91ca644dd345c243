"""Follow growing logs, or folders of them, and show each incident as it happens. Ends with Ctrl-C."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from detour_lsp.cli.knowledge_options import add_knowledge_arguments, open_from_options
from detour_lsp.cli.main import NOTHING_FOUND, SOMETHING_FOUND
from detour_lsp.logs.follow import Chunk, Follower
from detour_lsp.logs.resolve import resolve
from detour_lsp.logs.scan import Scanner, Stream

if TYPE_CHECKING:
    from detour_lsp.knowledge.compiled import CompiledKnowledge
    from detour_lsp.logs.incident import Incident


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `detour follow`."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="logs (also ones to come) or folders of them")
    parser.add_argument("--format", choices=("text", "jsonl"), default="text")
    parser.add_argument(
        "--root", metavar="DIR", type=Path, help="the project that the frames belong to (default: here)"
    )
    parser.add_argument("--torch", metavar="VERSION", help="the torch that prints the logs, where it is known")
    parser.add_argument("--once", action="store_true", help="read what is there, then end")
    add_knowledge_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Carry out `detour follow`."""
    root = (options.root or Path.cwd()).resolve()
    knowledge = open_from_options(options, root)
    writer = PeopleWriter(knowledge, root, options.torch) if options.format == "text" else Writer()
    reader = Reader(Scanner(knowledge), root, writer)
    follower = Follower(options.paths)
    if not options.once:
        for name in options.paths:
            if not os.path.exists(name):
                # A log to come, or a slip of the pen: whoever waits should know for what.
                sys.stderr.write(f"detour follow: waiting for {name}, which is not there yet\n")
        sys.stderr.flush()
    try:
        if options.once:
            for chunk in (*follower.poll(), *follower.close()):
                reader.read(chunk)
        else:
            for chunks in follower.run():
                for chunk in chunks:
                    reader.read(chunk)
                sys.stdout.flush()
    except KeyboardInterrupt:
        for chunk in follower.close():
            reader.read(chunk)
    return SOMETHING_FOUND if reader.told else NOTHING_FOUND


class Writer:
    """Writes what is told and what is taken back, for programs: one JSON object per line."""

    def write(self, incident: Incident) -> None:
        from detour_lsp.cli.machine_formats import jsonl
        from detour_lsp.cli.shapes import incident_shape

        sys.stdout.writelines(jsonl([incident_shape(incident)]))

    def take_back(self, incident: Incident) -> None:
        from detour_lsp.cli.machine_formats import jsonl

        line = {"withdrawn": incident.fingerprint, "file": incident.file, "line": incident.span.line}
        sys.stdout.writelines(jsonl([line]))


class PeopleWriter(Writer):
    """The same for people."""

    def __init__(self, knowledge: CompiledKnowledge, root: Path, torch: str | None) -> None:
        from detour_lsp.cli.incident_text import IncidentWriter

        self._incidents = IncidentWriter(knowledge, root, torch=torch)

    def write(self, incident: Incident) -> None:
        self._incidents.write(incident)

    def take_back(self, incident: Incident) -> None:
        place = f"{incident.file}:{incident.span.line}:{incident.span.column}"
        self._incidents.painter.line(f"{place}: not {incident.record} after all: what followed says it more exactly\n")


class Reader:
    """Reads chunks and tells each incident once: updates of one that was told are not told again."""

    def __init__(self, scanner: Scanner, root: Path, writer: Writer) -> None:
        self._scanner = scanner
        self._root = root
        self._writer = writer
        self._streams: dict[tuple[str, int], Stream] = {}
        #: What was told and still stands.
        self.told: dict[tuple[str, int, str], Incident] = {}

    def read(self, chunk: Chunk) -> None:
        """Read one chunk."""
        key = (chunk.path, chunk.generation)
        stream = self._streams.setdefault(key, self._scanner.stream(chunk.path))
        self._tell(key, stream, stream.feed(chunk.data))
        if chunk.final:
            self._tell(key, stream, stream.close())
            del self._streams[key]

    def _tell(self, key: tuple[str, int], stream: Stream, incidents: list[Incident]) -> None:
        for fingerprint in stream.withdrawn():
            incident = self.told.pop((*key, fingerprint), None)
            if incident is not None:
                self._writer.take_back(incident)
        for incident in incidents:
            mark = (*key, incident.fingerprint)
            if mark not in self.told:
                self.told[mark] = incident
                self._writer.write(resolve(incident, self._root))
