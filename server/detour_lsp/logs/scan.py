"""Logs -> incidents: the entry to this layer, for whole texts and for streams alike.

A whole text is a stream that is fed at once, so the two cannot differ. A stream keeps only what an error yet to come
might need of the past (see `blocks`), and gives out incidents as soon as their line is complete; later feeds may update
them.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from detour_lsp.knowledge.pattern import words_of
from detour_lsp.knowledge.words import restore
from detour_lsp.logs import blocks, wrapping
from detour_lsp.logs.decoding import Transcoder
from detour_lsp.logs.incident import Incident
from detour_lsp.logs.matching import Candidate, Matcher
from detour_lsp.logs.merging import Ledger
from detour_lsp.logs.reading import BlockReader, Sighting

if TYPE_CHECKING:
    from detour_lsp.knowledge.compiled import CompiledKnowledge

#: Whole texts are fed in parts of this size.
_FEED = 4_000_000


#: Healthy text of at least this length passes by the buffer: it is more than a block can reach back.
LONG = blocks.MOST_BYTES_BACK + 2 * blocks.PIECE


class Scanner:
    """Finds the incidents that `knowledge` knows; holds no state of any text and can be used from several threads."""

    def __init__(self, knowledge: CompiledKnowledge, *, common: bool = False) -> None:
        """`common`: also try signatures whose words are ordinary, for a short text that somebody asks about."""
        self.knowledge = knowledge
        finder = restore(words_of(knowledge.signatures, common=True)[0], b"") if common else knowledge.finder()
        self.matcher = Matcher(knowledge.signatures, finder, common=common)
        self.reader = BlockReader(self.matcher)

    def scan(self, data: bytes, name: str) -> list[Incident]:
        """The incidents in a whole text, in the order of their lines."""
        stream = self.stream(name)
        view = memoryview(data)
        for start in range(0, len(data), _FEED):
            stream.feed(bytes(view[start : start + _FEED]), told=False)
        stream.close()
        return stream.incidents()

    def stream(self, name: str) -> Stream:
        """A new stream; `name` becomes the incidents' `file`."""
        return Stream(self, Ledger(name))


class _Open:
    """A block that may still grow."""

    __slots__ = ("at", "end", "lines", "quiet", "read_until", "sign", "start")

    def __init__(self, start: int, at: int) -> None:
        self.start = start
        #: Up to here its lines have been looked at, and here it ends as far as is known.
        self.at = at
        self.end = at
        #: The end of the last line with a sign of an error.
        self.sign = at
        self.quiet = 0
        self.lines = 0
        #: Where the last provisional reading ended.
        self.read_until = -1


class Stream:
    """One growing text. All offsets are into `_buffer`, which begins at `_line`, `_column` of the text."""

    def __init__(self, scanner: Scanner, ledger: Ledger) -> None:
        self._scanner = scanner
        self._transcoder = Transcoder()
        self._buffer = bytearray()
        #: The last text that passed by; the buffer is empty then, and begins with it as soon as there is more to do.
        self._rest = b""
        self._line: int = 1
        self._column = 1
        #: So many line ends are in the buffer up to an offset.
        self._counted: tuple[int, int] = (0, 0)
        #: Complete lines up to here have been searched.
        self._searched: int = 0
        #: Blocks up to here are finished.
        self._finished: int = 0
        self._candidates: list[Candidate] = []
        self._open: _Open | None = None
        self._chains = 0
        self._ledger = ledger
        self._current: list[Incident] = []
        self._told: dict[str, Incident] = {}
        self._closed = False
        #: Whether something was read that nobody has been told of.
        self._untold = False

    def feed(self, data: bytes, *, told: bool = True) -> list[Incident]:
        """Append `data`; returns the incidents that are new or have changed; a known fingerprint is an update.

        Whoever only wants the incidents of the whole text spares the work for those in between with `told=False`.
        """
        if self._closed:
            raise ValueError("this stream is closed")
        text = self._transcoder.feed(data)
        found = self._looked_at(text)
        if found is not None and not found:
            self._pass(text)
            return []
        self._wake()
        base = len(self._buffer)
        self._buffer += text
        if found:
            self._remember(found, base)
            self._searched = len(self._buffer)
        return self._advance(final=False, told=told)

    def close(self) -> list[Incident]:
        """The text is over: what was waiting for more is told now."""
        if self._closed:
            return []
        self._wake()
        self._buffer += self._transcoder.close()
        self._closed = True
        changed = self._advance(final=True)
        self._line += self._lines_before(len(self._buffer))
        self._buffer.clear()
        return changed

    @property
    def lines(self) -> int:
        """Line ends up to the end of the text; known when the stream is closed."""
        return self._line - 1

    @property
    def chains(self) -> int:
        """How many chains of tracebacks were numbered."""
        return self._chains

    def incidents(self) -> list[Incident]:
        """All incidents so far."""
        return list(self._current)

    def withdrawn(self) -> list[str]:
        """Fingerprints told by `feed` that stand for no incident any more; each is named once.

        What follows a message may show that another record states the failure more exactly (`outranks`).
        """
        gone = self._told.keys() - {incident.fingerprint for incident in self._current}
        for fingerprint in gone:
            del self._told[fingerprint]
        return sorted(gone)

    # -- reading on

    def _looked_at(self, text: bytes) -> list[Candidate] | None:
        """The candidates of a text that is long, made of whole lines, and comes while nothing else is going on."""
        idle = self._open is None and not self._candidates and self._searched == len(self._buffer)
        whole = len(text) >= LONG and text.endswith(b"\n") and (not self._buffer or self._buffer.endswith(b"\n"))
        return self._scanner.matcher.candidates(text) if idle and whole else None

    def _pass(self, text: bytes) -> None:
        """Let healthy text pass by without copying it into the buffer."""
        self._line += self._lines_before(len(self._buffer)) + _line_ends(self._rest)
        self._column = 1
        self._buffer.clear()
        self._counted = (0, 0)
        self._searched = self._finished = 0
        # A block that begins in the text to come may reach back into this.
        self._rest = text

    def _remember(self, found: list[Candidate], base: int) -> None:
        self._candidates.extend(
            Candidate(base + candidate.start, base + candidate.end, candidate.signature_indexes) for candidate in found
        )

    def _wake(self) -> None:
        """Go on with the buffer, after text that passed."""
        if self._rest:
            self._buffer = bytearray(self._rest)
            self._searched = len(self._rest)
            self._rest = b""

    def _advance(self, *, final: bool, told: bool = True) -> list[Incident]:
        complete = len(self._buffer) if final else self._complete()
        if complete > self._searched:
            base = self._searched
            data = bytes(memoryview(self._buffer)[base:complete])
            self._remember(self._scanner.matcher.candidates(data), base)
            self._searched = complete
        touched = False
        provisional: list[Sighting] = []
        while self._candidates:
            if self._open is None:
                first = self._candidates[0]
                begin = blocks.reach_back(self._buffer, first.start, self._finished)
                self._open = _Open(begin, first.start)
            finished = self._grow(complete)
            block = self._open
            if finished or final:
                touched = True
                for sighting in self._read(block, block.end if finished else complete):
                    self._ledger.add(sighting)
                self._finished = block.end if finished else complete
                del self._candidates[: bisect_left(self._candidates, self._finished, key=_candidate_start)]
                self._open = None
            else:
                if told and block.read_until < complete:
                    touched = True
                    provisional = self._read(block, complete)
                    block.read_until = complete
                break
        self._trim()
        self._untold = self._untold or touched
        if not told or not self._untold:
            return []
        self._untold = False
        return self._tell(provisional)

    def _complete(self) -> int:
        """Where the last line or piece of a line that will not change any more ends."""
        end = self._buffer.rfind(b"\n", self._searched) + 1
        start = end or self._searched
        while len(self._buffer) - start > 2 * blocks.PIECE:
            # A line without end: its pieces are complete one by one.
            start = blocks.piece_end(self._buffer, start)
            end = start
        return end or self._searched

    def _grow(self, complete: int) -> bool:
        """Look at the lines below the open block; True when nothing more can belong to it."""
        block = self._open
        assert block is not None
        index = bisect_left(self._candidates, block.at, key=_candidate_start)
        while block.at < complete:
            end = self._buffer.find(b"\n", block.at, complete)
            end = complete if end < 0 else end + 1
            candidate = False
            while index < len(self._candidates) and self._candidates[index].start < end:
                candidate = True
                index += 1
            if candidate or blocks.loud(bytes(self._buffer[block.at : min(end, block.at + 4096)])):
                block.quiet = 0
                block.end = block.sign = end
            else:
                block.quiet += 1
                if block.quiet <= blocks.MARGIN and end - block.sign <= blocks.MARGIN_BYTES:
                    block.end = end
            block.at = end
            block.lines += 1
            if block.quiet >= blocks.GAP or block.lines >= blocks.MOST_LINES or end - block.start >= blocks.MOST_BYTES:
                if block.quiet < blocks.GAP and end - block.sign <= blocks.MARGIN_BYTES:
                    block.end = end
                return True
        return False

    def _read(self, block: _Open, end: int) -> list[Sighting]:
        line, column = self._place(block.start)
        data = bytes(memoryview(self._buffer)[block.start : end])
        first = bisect_left(self._candidates, block.start, key=_candidate_start)
        last = bisect_left(self._candidates, end, key=_candidate_start)
        mine = self._candidates[first:last]
        indexes = {index for found in mine for index in found.signature_indexes}
        cut = wrapping.looks_cut(data)
        if not indexes and not cut:
            # Something is reported, but nothing that anybody knows.
            return []
        lines = blocks.read(data, line, column, {found.start for found in mine if found.signature_indexes}, block.start)
        units = wrapping.join_wrapped(lines)
        reader = self._scanner.reader
        sightings = reader.read(units, indexes, self._chains) if indexes else []
        if cut:
            self._chains = max([self._chains, *(sighting.chain for sighting in sightings)]) + 1
            sightings = reader.read_otherwise(lines, units, sightings, self._chains)
        self._chains = max([self._chains, *(sighting.chain for sighting in sightings)]) + 1
        return sightings

    def _place(self, offset: int) -> tuple[int, int]:
        """Line and column of the text at an offset of the buffer, the start of a line or of a piece of one."""
        lines = self._lines_before(offset)
        if lines:
            start = self._buffer.rfind(b"\n", 0, offset) + 1
            column = 1
        else:
            start, column = 0, self._column
        if offset > start:
            column += len(bytes(memoryview(self._buffer)[start:offset]).decode("utf-8", "replace"))
        return self._line + lines, column

    def _lines_before(self, offset: int) -> int:
        """Line ends in the buffer before `offset`; what was counted once is not counted again."""
        counted, lines = self._counted
        if offset < counted:
            return self._buffer.count(b"\n", 0, offset)
        lines += self._buffer.count(b"\n", counted, offset)
        self._counted = (offset, lines)
        return lines

    def _trim(self) -> None:
        """Forget what no future block can reach back to."""
        keep = max(self._finished, self._searched - blocks.MOST_BYTES_BACK - blocks.PIECE)
        if self._open is not None:
            keep = min(keep, self._open.start)
        if keep < blocks.MOST_BYTES_BACK and not self._closed:
            return
        start = self._buffer.rfind(b"\n", 0, keep) + 1
        if not start:
            return
        line = self._line
        self._line, self._column = self._place(start)
        counted, lines = self._counted
        self._counted = (counted - start, lines - (self._line - line))
        del self._buffer[:start]
        self._searched -= start
        self._finished = max(0, self._finished - start)
        self._candidates = [
            Candidate(found.start - start, found.end - start, found.signature_indexes) for found in self._candidates
        ]
        if self._open is not None:
            self._open.start -= start
            self._open.at -= start
            self._open.end -= start
            self._open.sign -= start
            self._open.read_until -= start

    def _tell(self, provisional: list[Sighting]) -> list[Incident]:
        ledger = self._ledger
        if provisional:
            ledger = ledger.copy()
            for sighting in provisional:
                ledger.add(sighting)
        self._current = ledger.incidents()
        changed = [incident for incident in self._current if self._told.get(incident.fingerprint) != incident]
        for incident in changed:
            self._told[incident.fingerprint] = incident
        return changed


def _candidate_start(candidate: Candidate) -> int:
    return candidate.start


def _line_ends(text: bytes) -> int:
    """How many line ends there are; CPython counts byte by byte but removes with `memchr`, which is twice as fast."""
    if text.count(b"\n", 0, 8_192) > 100:
        return text.count(b"\n")
    return len(text) - len(text.replace(b"\n", b""))
