"""Knowledge as the scanner and the checker need it, made once and cached: a start from the cache parses no record.

It holds the signatures with their words, the word database, the selectors, and the records, each decoded when
somebody asks for it. `storage.py` knows how it lies on disk.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from detour_lsp.knowledge import words
from detour_lsp.knowledge.pattern import Pattern, pattern_of, with_shared_words, words_of
from detour_lsp.knowledge.places import builtin_seeds, locate, stamped_files
from detour_lsp.knowledge.problem import Problem
from detour_lsp.knowledge.storage import DamagedError, Sections, Store, body, cache_directory, checksum, note
from detour_lsp.version import __version__

if TYPE_CHECKING:
    from detour_lsp.knowledge.loading import Knowledge
    from detour_lsp.knowledge.record import Clause, Record, Severity

#: A file changed this recently may change again within the resolution of its time stamp: its stamp is not trusted.
_SETTLED_AFTER_NS = 2_000_000_000


@dataclass(frozen=True, slots=True)
class Detection:
    """One selector of one dead end: what `source` looks for, without decoding the record."""

    record: str
    #: Index into the record's `dead_ends`.
    dead_end: int
    selector: Clause
    severity: Severity


class CompiledKnowledge:
    """Stands in for `loading.Knowledge` and adds what was derived from it."""

    def __init__(
        self,
        records: Mapping[str, Record],
        problems: tuple[Problem, ...],
        signatures: tuple[Pattern, ...],
        detections: tuple[Detection, ...],
        database: bytes = b"",
    ) -> None:
        self.records = records
        self.problems = problems
        #: In the order of the records and of their signatures; a `Match` names its signature by index into these.
        self.signatures = signatures
        self.detections = detections
        self._database = database
        self._finder: words.WordFinder | None = None

    def finder(self) -> words.WordFinder:
        """The word database of all signatures whose words are not too common; restored on first use."""
        if self._finder is None:
            self._finder = words.restore(words_of(self.signatures)[0], self._database)
        return self._finder


def compile_knowledge(knowledge: Knowledge) -> CompiledKnowledge:
    """Derive everything from loaded records, without any cache."""
    from detour_lsp.knowledge.loading import signatures_of

    problems = list(knowledge.problems)
    patterns: list[Pattern] = []
    detections: list[Detection] = []
    for record in knowledge.records.values():
        for index, signature in enumerate(signatures_of(record)):
            try:
                patterns.append(pattern_of(record, index, signature.regex, signature.level))
            except (re.error, RecursionError, OverflowError) as error:
                problems.append(Problem(record.origin, "regex", f"signature {index} is left out: {error}"))
        for index, dead_end in enumerate(record.dead_ends):
            detections += [Detection(record.id, index, selector, dead_end.severity) for selector in dead_end.detect]
    return CompiledKnowledge(knowledge.records, tuple(problems), tuple(with_shared_words(patterns)), tuple(detections))


def open_knowledge(paths: Sequence[str | Path] = (), *, builtin: bool = True) -> CompiledKnowledge:
    """Detour's own records and those at `paths`, from the cache if nothing has changed since it was written."""
    places = [str(builtin_seeds())] if builtin else []
    places += [str(located) if (located := locate(path)) else str(path) for path in paths]
    files = [stamped for place in places for stamped in (stamped_files(Path(place)) if os.path.exists(place) else [])]
    store = Store(cache_directory())
    stamp = _digest(repr((places, files)).encode())
    content = store.content_of(stamp)
    cached = _restore(store, content, places, builtin) if content else None
    if cached is not None:
        return cached
    # The stamp is new: a checkout or an installation touches files without changing what they say.
    content = _content(places, files)
    compiled = _restore(store, content, places, builtin)
    if compiled is None:
        compiled = _load(places, builtin)
        header, packed = _pack(compiled)
        store.write(content, header, words.serialise(compiled.finder()), packed)
    newest = max((changed for _, _, changed in files), default=0)
    if newest < time.time_ns() - _SETTLED_AFTER_NS:
        store.remember(stamp, content)
    return compiled


def _load(places: Sequence[str], builtin: bool) -> CompiledKnowledge:
    from detour_lsp.knowledge.loading import load

    return compile_knowledge(load(places[1:] if builtin else places, builtin=builtin))


def _digest(*parts: bytes) -> str:
    """A name for some state of the inputs, together with everything else that the outcome depends on."""
    digest = hashlib.blake2b(digest_size=16)
    for part in (*parts, _code_stamp(), words.identity().encode(), repr((__version__, sys.version_info[:2])).encode()):
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()


def _code_stamp() -> bytes:
    """Changes when this package's code does, which happens in a checkout without a new version."""
    with os.scandir(os.path.dirname(__file__)) as entries:
        return repr(
            sorted(
                (entry.name, stat.st_size, stat.st_mtime_ns)
                for entry in entries
                if entry.name.endswith(".py")
                for stat in (entry.stat(),)
            )
        ).encode()


def _content(places: Sequence[str], files: Sequence[tuple[str, int, int]]) -> str:
    parts = [repr(list(places)).encode()]
    for path, _, _ in files:
        parts.append(path.encode("utf-8", "surrogateescape"))
        try:
            parts.append(Path(path).read_bytes())
        except OSError as error:
            # `load` reports it; here it only has to make a difference.
            parts.append(repr(error).encode())
    return _digest(*parts)


def _pack(compiled: CompiledKnowledge) -> tuple[dict[str, Any], bytes]:
    from detour_lsp.knowledge import bodies

    index: list[tuple[str, int, int, int]] = []
    packed = bytearray()
    for record in compiled.records.values():
        data = bodies.encode(record)
        index.append((record.id, len(packed), len(data), checksum(data)))
        packed += data
    header = {
        "records": index,
        "problems": [(item.file, item.key, item.reason) for item in compiled.problems],
        "signatures": [
            (
                item.record,
                item.signature,
                item.regex,
                item.level,
                item.literals,
                item.ignore_case,
                item.common,
                item.tier,
                item.outranks,
            )
            for item in compiled.signatures
        ],
        "detections": [
            (item.record, item.dead_end, dict(item.selector), item.severity) for item in compiled.detections
        ],
    }
    return header, bytes(packed)


def _restore(store: Store, content: str, places: Sequence[str], builtin: bool) -> CompiledKnowledge | None:
    sections = store.read(content)
    if sections is None:
        return None
    header = sections.header
    return CompiledKnowledge(
        _LazyRecords(sections, lambda: _load(places, builtin).records),
        tuple(Problem(*item) for item in header["problems"]),
        tuple(
            Pattern(record, signature, regex, level, tuple(literals), ignore_case, common, tier, tuple(outranks))
            for record, signature, regex, level, literals, ignore_case, common, tier, outranks in header["signatures"]
        ),
        tuple(Detection(*item) for item in header["detections"]),
        sections.database,
    )


class _LazyRecords(Mapping[str, "Record"]):
    """The records by id; each is decoded on first use, from its sources if the cache turns out to be damaged."""

    def __init__(self, sections: Sections, load_again: Any) -> None:
        self._sections = sections
        self._load_again = load_again
        self._places: dict[str, tuple[int, int, int]] = {
            name: tuple(rest) for name, *rest in sections.header["records"]
        }
        self._decoded: dict[str, Record] = {}

    def __getitem__(self, name: str) -> Record:
        record = self._decoded.get(name)
        if record is None:
            from detour_lsp.knowledge import bodies

            place = self._places[name]
            try:
                record = self._decoded[name] = bodies.decode(body(self._sections, *place))
            except DamagedError as damage:
                note("the knowledge cache is damaged, records are read again: %s", damage)
                self._decoded = dict(self._load_again())
                record = self._decoded[name]
        return record

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, name: object) -> bool:
        return name in self._places
