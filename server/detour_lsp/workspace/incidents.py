"""The incidents that are alive: where each came from, where it now stands in the code, and when it goes away.

Stale problems are what people hate most in such tools, so an incident ends when the same command, cell or file is run
again, when its line is edited away, or by hand; and the same one is never held twice.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from detour_lsp.logs.incident import Incident
from detour_lsp.workspace.document import Change, Document

SourceKind = Literal["terminal", "log", "notebook", "debug", "task", "text"]


@dataclass(frozen=True, slots=True)
class Source:
    """Where text comes from. `identity` is the same for the next run of the same command, cell or file."""

    kind: SourceKind
    #: What a person sees: the command, the log's name, the cell.
    name: str
    identity: str
    #: The document that holds the text, for links back; None for a terminal.
    uri: str | None = None


@dataclass(slots=True)
class Entry:
    """One incident that is alive."""

    key: str
    incident: Incident
    source: Source
    #: The file of the user frame as an absolute path or a URI without a path, or None when it is not in the workspace.
    target: str | None
    #: 0-based line of the user frame in the target as it is now.
    line: int
    #: What the line said when the incident happened, stripped; empty when the log did not tell.
    text: str = ""


#: So many incidents of one source are held: a log that grows for days must not fill the memory. The oldest go first.
MOST_PER_SOURCE = 2_000


class IncidentStore:
    """All incidents that are alive, by source. `shown` says which of them a person wants to see."""

    def __init__(self, shown: Callable[[Entry], bool] = lambda _entry: True) -> None:
        self._by_source: dict[str, dict[str, Entry]] = {}
        self._shown = shown
        #: The records that incidents may be of; None for any. A long run may still be read with those before.
        self._known: Container[str] | None = None
        #: How many incidents of a source were let go because there are too many.
        self._dropped: dict[str, int] = {}

    def __iter__(self) -> Iterator[Entry]:
        for entries in self._by_source.values():
            yield from entries.values()

    def __len__(self) -> int:
        return sum(len(entries) for entries in self._by_source.values())

    def shown(self) -> list[Entry]:
        """Those that are to be seen."""
        return [entry for entry in self if self._shown(entry)]

    def begin(self, source: Source) -> set[str]:
        """A new run of a source starts: its old incidents end. Returns the targets whose diagnostics change."""
        return self.clear_source(source.identity)

    def put(self, source: Source, incidents: Iterable[tuple[Incident, str | None, int]]) -> set[str]:
        """Add or update incidents of a source, each with its target and 0-based line; returns the targets touched."""
        entries = self._by_source.setdefault(source.identity, {})
        changed: set[str] = set()
        for incident, target, line in incidents:
            if self._known is not None and incident.record not in self._known:
                continue
            key = f"{source.identity}\x1f{incident.fingerprint}"
            old = entries.get(key)
            if old is not None and old.target is not None:
                # An update of the same incident (a further rank, a longer traceback) must not undo the line's drift.
                changed.add(old.target)
                line = old.line if old.target == target else line
            frame = incident.user_frame
            entries[key] = Entry(key, incident, source, target, line, (frame.source or "") if frame else "")
            changed |= {name for name in (target, source.uri) if name}
        while len(entries) > MOST_PER_SOURCE:
            oldest = entries.pop(next(iter(entries)))
            changed |= self._touched([oldest])
            self._dropped[source.identity] = self._dropped.get(source.identity, 0) + 1
        return changed

    def dropped(self, identity: str) -> int:
        """How many incidents of a source are not held any more because there were too many."""
        return self._dropped.get(identity, 0)

    def withdraw(self, identity: str, fingerprints: Iterable[str]) -> set[str]:
        """Take incidents of a source back: what its text says further down has replaced them."""
        entries = self._by_source.get(identity, {})
        gone = [entries.pop(f"{identity}\x1f{name}") for name in fingerprints if f"{identity}\x1f{name}" in entries]
        return self._touched(gone)

    def keep(self, records: Container[str]) -> set[str]:
        """End the incidents of all records but these, and take none of others: they are not known any more."""
        self._known = records
        gone: list[Entry] = []
        for entries in self._by_source.values():
            gone += [entries.pop(key) for key, entry in list(entries.items()) if entry.incident.record not in records]
        return self._touched(gone)

    def forsake(self, target: str) -> set[str]:
        """End the incidents whose user frame is in a file: it is no more."""
        gone: list[Entry] = []
        for entries in self._by_source.values():
            gone += [entries.pop(key) for key, entry in list(entries.items()) if entry.target == target]
        return self._touched(gone)

    def clear_source(self, identity: str) -> set[str]:
        """End all incidents of a source."""
        self._dropped.pop(identity, None)
        return self._touched(self._by_source.pop(identity, {}).values())

    def clear(self, key: str | None = None) -> set[str]:
        """End one incident, or all."""
        if key is None:
            changed = self._touched(self)
            self._by_source.clear()
            self._dropped.clear()
            return changed
        for entries in self._by_source.values():
            if key in entries:
                return self._touched([entries.pop(key)])
        return set()

    def find(self, key: str) -> Entry | None:
        """The incident with a key."""
        return next((entries[key] for entries in self._by_source.values() if key in entries), None)

    def in_target(self, target: str) -> list[Entry]:
        """The incidents whose user frame is in a file, in line order, the same failure of several sources once."""
        seen: dict[tuple[str, int], Entry] = {}
        for entry in self:
            if entry.target == target and self._shown(entry):
                seen.setdefault((entry.incident.record, entry.line), entry)
        return sorted(seen.values(), key=lambda entry: entry.line)

    def of_source(self, identity: str) -> list[Entry]:
        """The incidents of one source, in the order of the text."""
        entries = [entry for entry in self._by_source.get(identity, {}).values() if self._shown(entry)]
        return sorted(entries, key=lambda entry: (entry.incident.span.line, entry.incident.span.column))

    def edited(self, target: str, changes: Sequence[Change], document: Document) -> bool:
        """Follow the edits of one notification; an incident whose line is edited away ends. True if anything moved.

        `document` holds the text after all of them.
        """
        moved = False
        for entries in self._by_source.values():
            for key, entry in list(entries.items()):
                if entry.target != target:
                    continue
                after = _moved(entry, changes, document)
                if after is None:
                    del entries[key]
                    moved = True
                elif after != entry.line:
                    entry.line = after
                    moved = True
        return moved

    def settle(self, target: str, document: Document) -> None:
        """Find each incident's line again in a document that was just opened, or changed outside the editor."""
        for entry in self:
            if entry.target != target or not entry.text or document.line(entry.line).strip() == entry.text:
                continue
            near = _nearest(entry.text, entry.line, document)
            entry.incident = replace(entry.incident, stale=near is None)
            entry.line = entry.line if near is None else near

    @staticmethod
    def _touched(entries: Iterable[Entry]) -> set[str]:
        return {name for entry in entries for name in (entry.target, entry.source.uri) if name}


def _moved(entry: Entry, changes: Sequence[Change], document: Document) -> int | None:
    """The entry's line after the edits, or None when they took the line away."""
    candidates = [entry.line]
    touched = False
    for change in changes:
        shifted: list[int] = []
        for line in candidates:
            if line < change.start_line:
                shifted.append(line)
            elif line > change.old_end_line:
                shifted.append(line + change.lines_added)
            else:
                # The edit touches the line itself: it may stand there still, or where the edit pushed it.
                touched = True
                shifted += [line, line + change.lines_added, change.start_line]
        candidates = list(dict.fromkeys(shifted))[:8]
    if not touched:
        return candidates[0]
    if not entry.text:
        # Without the line's text nobody can tell whether it is still the same; a line that was worked on is not.
        return None
    found = next((line for line in candidates if document.line(line).strip() == entry.text), None)
    if found is None and any(entry.text in change.text for change in changes):
        # Lines were replaced in bulk, by a formatter or a checkout: it may stand anywhere among the new ones.
        found = _nearest(entry.text, entry.line, document)
    return found


def _nearest(text: str, line: int, document: Document, reach: int = 2_000) -> int | None:
    for distance in range(1, reach):
        low, high = line - distance, line + distance
        if low < 0 and high >= document.line_count:
            return None
        if low >= 0 and document.line(low).strip() == text:
            return low
        if high < document.line_count and document.line(high).strip() == text:
            return high
    return None
