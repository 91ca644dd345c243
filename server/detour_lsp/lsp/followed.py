"""Logs on disk that grow while the editor is open: read on a thread, told on the loop.

A log that is also open as a document is told by the document, which knows the exact text that the person sees.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from detour_lsp.logs.follow import Follower
from detour_lsp.logs.incident import Incident
from detour_lsp.lsp.log_patterns import matching
from detour_lsp.lsp.uris import uri_of
from detour_lsp.workspace.incidents import MOST_PER_SOURCE, Source
from detour_lsp.workspace.projection import place

if TYPE_CHECKING:
    from detour_lsp.logs.scan import Scanner, Stream
    from detour_lsp.lsp.server import DetourServer

#: So many files at most come from the patterns of the settings.
MAX_FILES = 500
#: So much is read at once; more would hold the interpreter for milliseconds, and hovers wait for it.
SLICE_BYTES = 262_144
#: New files of the patterns are looked for so often, in a large tree with pauses of so many times what a look took.
LOOK_SECONDS, LOOK_PAUSE = 2.0, 20
#: How far reading gives way to the rest of the machine, as `nice` counts: a hover then seldom waits for a core.
NICE = 5


@dataclass(frozen=True, slots=True)
class _Reader:
    """A thread that follows some logs until it is told to stop."""

    paths: set[Path]
    follower: Follower
    stop: threading.Event


class FollowedLogs:
    """The logs that are followed: those that the settings' patterns find, and those that were asked for."""

    def __init__(self, server: DetourServer) -> None:
        self._server = server
        self._asked: list[Path] = []
        self._found: list[Path] = []
        self._readers: list[_Reader] = []
        self._scanner: Scanner | None = None
        self._look: asyncio.Task[None] | None = None
        #: What each log has told so far, by fingerprint: a document that is open in between tells it instead.
        self._told: dict[str, dict[str, Incident]] = {}

    def follow(self, paths: Iterable[Path]) -> None:
        """Follow further files or folders."""
        self._asked += [path for path in paths if path not in self._asked]
        self._follow()

    def follow_patterns(self) -> None:
        """Follow what the settings' patterns find, now and later; what is followed already goes on."""
        if self._look is not None:
            self._look.cancel()
        self._look = self._server.spawn(self._keep_looking())

    async def _keep_looking(self) -> None:
        """Look for the files of the patterns as long as there are patterns: each run of a program begins a new log."""
        settings = self._server.settings
        places = [(folder, pattern) for folder in self._server.folders for pattern in settings.of(folder).follow]
        found: list[Path] = []
        while True:
            begin = time.monotonic()
            now = await self._server.compute(lambda: matching(places, MAX_FILES))
            # A file that is gone stays while there is room for it: it may come back.
            known = set(now)
            found = [*now, *(path for path in found if path not in known)][:MAX_FILES]
            self._found = found
            self._follow()
            if not places:
                return
            await asyncio.sleep(max(LOOK_SECONDS, (time.monotonic() - begin) * LOOK_PAUSE))

    def _follow(self) -> None:
        """Have exactly the wanted logs followed."""
        wanted = {*self._asked, *self._found}
        if self._server.scanner is not self._scanner:
            # Other records: what was read must be read again.
            self.stop()
            self._told.clear()
            self._scanner = self._server.scanner
        for reader in self._readers:
            # The others go on where they are: to follow them anew would read them again.
            gone = reader.paths - wanted
            reader.paths.difference_update(gone)
            reader.follower.remove(gone)
            for path in gone:
                self._told.pop(str(path), None)
        new = wanted.difference(*(reader.paths for reader in self._readers))
        if not new or self._scanner is None:
            return
        if self._readers:
            self._readers[-1].paths.update(new)
            self._readers[-1].follower.add(sorted(new))
            return
        reader = _Reader(new, Follower(sorted(new)), threading.Event())
        self._readers.append(reader)
        arguments = (self._scanner, reader.follower, reader.stop, asyncio.get_running_loop())
        threading.Thread(target=self._read, args=arguments, name="detour-follow", daemon=True).start()

    def stop(self) -> None:
        """Follow nothing any more."""
        for reader in self._readers:
            reader.stop.set()
        self._readers.clear()

    def _read(
        self, scanner: Scanner, follower: Follower, stop: threading.Event, loop: asyncio.AbstractEventLoop
    ) -> None:
        """Runs on a thread of its own until it is told to stop."""
        if sys.platform == "linux":
            # Only there has each thread a priority of its own.
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
        streams: dict[tuple[str, int], Stream] = {}
        latest: dict[str, int] = {}
        try:
            for chunks in follower.run(stop):
                for chunk in chunks:
                    key = (chunk.path, chunk.generation)
                    fresh = chunk.generation > latest.get(chunk.path, -1)
                    latest[chunk.path] = max(chunk.generation, latest.get(chunk.path, -1))
                    stream = streams.setdefault(key, scanner.stream(chunk.path))
                    incidents = _fed(stream, chunk.data)
                    if chunk.final:
                        incidents = [*incidents, *stream.close()]
                        del streams[key]
                    withdrawn = stream.withdrawn()
                    if chunk.final and latest[chunk.path] == chunk.generation:
                        # Deleted, emptied, or followed no more: it tells nothing, until it begins anew.
                        del latest[chunk.path]
                        incidents, fresh = [], True
                    if stop.is_set():
                        return
                    if incidents or withdrawn or fresh:
                        loop.call_soon_threadsafe(self._tell, chunk.path, incidents, withdrawn, fresh)
        except Exception as error:  # A thread's end would otherwise go unseen.
            # When the server ends, the loop is closed while the last piece is still read.
            if not stop.is_set():
                loop.call_soon_threadsafe(self._server.complain, error)

    def _tell(self, path: str, incidents: list[Incident], withdrawn: list[str], fresh: bool) -> None:
        server = self._server
        if fresh:
            self._told.pop(path, None)
        told = self._told.setdefault(path, {})
        for name in withdrawn:
            told.pop(name, None)
        told.update((incident.fingerprint, incident) for incident in incidents)
        while len(told) > MOST_PER_SOURCE:
            told.pop(next(iter(told)))
        document = server.document(uri_of(path))
        if document is not None and server.log_documents.wanted(document):
            return
        changed = server.store.begin(_source(path)) if fresh else set[str]()
        changed |= server.store.withdraw(path, withdrawn)
        changed |= self._put(path, incidents)
        if changed:
            server.publish(changed)

    def told_again(self, path: str) -> set[str]:
        """Hold again what a followed log has told, when no document tells it any more; the targets touched."""
        return self._put(path, self._told.get(path, {}).values())

    def forget(self, key: str | None) -> None:
        """Somebody has cleared an incident, or all: it is not to come back."""
        for path, told in self._told.items():
            if key is None:
                told.clear()
            elif key.startswith(f"{path}\x1f"):
                told.pop(key.removeprefix(f"{path}\x1f"), None)

    def _put(self, path: str, incidents: Iterable[Incident]) -> set[str]:
        roots = self._server.folders or [Path(path).parent]
        return self._server.store.put(_source(path), [place(incident, roots) for incident in incidents])


def _source(path: str) -> Source:
    return Source("log", Path(path).name, path, uri_of(path))


def _fed(stream: Stream, data: bytes) -> list[Incident]:
    """What a stream tells of a piece; fed in slices, between which the loop gets the interpreter."""
    for start in range(0, max(len(data), 1), SLICE_BYTES):
        last = start + SLICE_BYTES >= len(data)
        incidents = stream.feed(data[start : start + SLICE_BYTES], told=last)
        if last:
            return incidents
    return []
