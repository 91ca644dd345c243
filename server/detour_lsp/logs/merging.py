"""Sightings of a whole file -> its incidents: one per failure, however often and however worded it was printed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from itertools import chain

from detour_lsp.logs import paths
from detour_lsp.logs.incident import Frame, Incident
from detour_lsp.logs.later import later
from detour_lsp.logs.reading import Sighting

#: Two sightings of a record this close, of which one has no frame of its own, are the same failure.
SAME_FAILURE = 60
#: A more exact record replaces others within so many lines.
OUTRANKING = 120
#: A symptom's cause is looked for this far above and below it.
CAUSE_ABOVE = 5_000
CAUSE_BELOW = 400

_NUMBERS = later(r"0x[0-9a-fA-F]+|\d+(?:\.\d+)?")


@dataclass(slots=True)
class _Failure:
    first: Sighting
    #: The sighting that is shown: the first one, or of a symptom told in several wordings the most exact.
    shown: Sighting
    #: Chains in which it was seen; sightings in a known chain are the same occurrence.
    chains: set[int] = field(default_factory=set[int])
    count: int = 1
    ranks: set[int] = field(default_factory=set[int])
    captures: dict[str, str] = field(default_factory=dict[str, str])
    frames: tuple[Frame, ...] = ()
    user_frame: Frame | None = None
    words: set[str] = field(default_factory=set[str])
    last_line: int = 0
    streams: set[str] = field(default_factory=set[str])
    torch_version: str | None = None
    identity: str = ""
    #: Wordings in which it was told.
    signatures: set[int] = field(default_factory=set[int])
    #: The first of the last sightings without a frame that were taken for this failure's although it had been told
    #: with one: what follows may show that they began the next failure. Then the last one's line, and how many counted.
    loose: Sighting | None = None
    loose_line: int = 0
    loose_count: int = 0


class Ledger:
    """The failures of one file so far."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._by_record: dict[str, list[_Failure]] = {}

    def copy(self) -> Ledger:
        """A ledger to try sightings on that are not final yet."""
        twin = Ledger(self._name)
        twin._by_record = {
            record: [
                replace(
                    failure,
                    chains=set(failure.chains),
                    ranks=set(failure.ranks),
                    captures=dict(failure.captures),
                    words=set(failure.words),
                    streams=set(failure.streams),
                    signatures=set(failure.signatures),
                )
                for failure in failures
            ]
            for record, failures in self._by_record.items()
        }
        return twin

    def add(self, sighting: Sighting) -> None:
        """Count a sighting; sightings come in the order of the text."""
        record = sighting.pattern.record
        failures = self._by_record.setdefault(record, [])
        words = masked(sighting.words)
        level = sighting.level
        # The last first, and those of the same level before others: every rank warns, then fails.
        for failure in chain(
            (known for known in reversed(failures) if known.first.level == level),
            (known for known in reversed(failures) if known.first.level != level),
        ):
            same = self._relation(failure, sighting, words)
            if same is not None:
                self._join(failure, sighting, words, again=same)
                return
        begun = _take_loose(failures, sighting)
        if begun is not None:
            failures.append(_failure(begun))
            self._join(failures[-1], sighting, words, again=False)
        else:
            failures.append(_failure(sighting))

    @staticmethod
    def _relation(failure: _Failure, sighting: Sighting, words: str) -> bool | None:
        """None: another failure. False: the same occurrence, told again. True: another occurrence of the same."""
        if sighting.level == "error" and failure.first.level == "warning":
            # What was only warned of has come to pass: that is not told by the warning.
            return None
        if sighting.chain in failure.chains:
            return False
        frame, other = failure.user_frame, sighting.user_frame
        if sighting.retold and (words in failure.words or any(said.startswith(words[:40]) for said in failure.words)):
            return False
        if frame is not None and other is not None:
            if place_of(frame) != place_of(other):
                return None
            if _begins(failure, sighting) and failure.loose_count:
                return False
            # Told once more, or again in another wording?
            return sighting.pattern.signature in failure.signatures or not _near(failure, sighting)
        shared = sighting.level == failure.first.level and (sighting.level == "symptom" or _between_processes(sighting))
        if shared and sighting.ranks and _between_processes(sighting) and _near(failure, sighting, anyone=True):
            # Every rank tells of it several times; it happened to each of them once.
            return not failure.ranks.issuperset(sighting.ranks)
        if words in failure.words:
            return True
        if sighting.level == "warning" and failure.first.level == "error" and _near(failure, sighting):
            # A library warns of what the program was told already.
            return False
        if sighting.whole:
            return None
        # A process tells its failure in several wordings; of symptoms, and of what fails between processes, the others
        # tell the same one.
        if _near(failure, sighting, anyone=shared):
            return False
        return None

    @staticmethod
    def _join(failure: _Failure, sighting: Sighting, words: str, *, again: bool) -> None:
        failure.count += sighting.times if again else 0
        if sighting.user_frame is not None:
            failure.loose = None
        elif failure.user_frame is not None and not sighting.retold:
            loose = failure.loose
            if (
                loose is None
                or loose.stream != sighting.stream
                or sighting.span.line - failure.loose_line > SAME_FAILURE
            ):
                failure.loose, failure.loose_count = sighting, 0
            failure.loose_line = sighting.span.end_line
            failure.loose_count += sighting.times if again else 0
        failure.signatures.add(sighting.pattern.signature)
        if (
            sighting.level == failure.shown.level == "symptom"
            and sighting.pattern.signature < failure.shown.pattern.signature
        ):
            failure.shown = sighting
        failure.chains |= {sighting.chain} - {-1}
        failure.ranks.update(sighting.ranks)
        for name, value in sighting.captures.items():
            failure.captures.setdefault(name, value)
        if failure.user_frame is None and sighting.user_frame is not None:
            failure.user_frame = sighting.user_frame
            failure.frames = sighting.frames
        elif not failure.frames:
            failure.frames = sighting.frames
        failure.words.add(words)
        failure.last_line = max(failure.last_line, sighting.span.end_line)
        failure.streams.add(sighting.stream)
        failure.torch_version = failure.torch_version or sighting.torch_version

    def incidents(self) -> list[Incident]:
        """All incidents, in the order of their lines."""
        failures = sorted(
            (failure for group in self._by_record.values() for failure in group),
            key=lambda failure: (failure.shown.span.line, failure.shown.span.column, failure.shown.pattern.record),
        )
        failures = self._without_outranked(failures)
        seen: dict[str, int] = {}
        incidents: list[Incident] = []
        for failure in failures:
            ordinal = seen[failure.identity] = seen.get(failure.identity, -1) + 1
            incidents.append(self._incident(failure, ordinal))
        return _with_causes(incidents)

    def _without_outranked(self, failures: list[_Failure]) -> list[_Failure]:
        gone: set[int] = set()
        for failure in failures:
            beaten = failure.first.pattern.outranks
            if not beaten:
                continue
            for other in failures:
                if other.first.pattern.record in beaten and (
                    abs(other.first.span.line - failure.first.span.line) <= OUTRANKING
                    or bool(other.chains & failure.chains)
                ):
                    gone.add(id(other))
        return [failure for failure in failures if id(failure) not in gone]

    def _incident(self, failure: _Failure, ordinal: int) -> Incident:
        shown = failure.shown
        return Incident(
            record=shown.pattern.record,
            signature=shown.pattern.signature,
            tier=shown.pattern.tier,
            level=shown.level,
            file=self._name,
            span=shown.span,
            message=shown.message,
            captures=failure.captures,
            frames=failure.frames,
            user_frame=failure.user_frame,
            count=failure.count,
            ranks=tuple(sorted(failure.ranks)),
            truncated=shown.truncated,
            fingerprint=_digest(failure.identity, ordinal),
            block=shown.block,
            torch_version=failure.torch_version,
        )


def _near(failure: _Failure, sighting: Sighting, *, anyone: bool = False) -> bool:
    """Whether both were told shortly after each other, by one process unless `anyone` may have told them."""
    return (anyone or sighting.stream in failure.streams) and sighting.span.line - failure.last_line <= SAME_FAILURE


def _between_processes(sighting: Sighting) -> bool:
    """Whether every process of a group tells of it, each in the words of what it was waiting for."""
    return sighting.pattern.record.startswith("distributed/")


def _begins(failure: _Failure, sighting: Sighting) -> bool:
    """Whether what was told last without a frame could be the beginning of what is told now."""
    loose = failure.loose
    return (
        loose is not None
        and loose.stream == sighting.stream
        and sighting.span.line - failure.loose_line <= SAME_FAILURE
    )


def _failure(sighting: Sighting) -> _Failure:
    return _Failure(
        sighting,
        sighting,
        {sighting.chain} - {-1},
        1,
        set(sighting.ranks),
        dict(sighting.captures),
        sighting.frames,
        sighting.user_frame,
        {masked(sighting.words)},
        sighting.span.end_line,
        {sighting.stream},
        sighting.torch_version,
        _identity(sighting),
        {sighting.pattern.signature},
    )


def _take_loose(failures: list[_Failure], sighting: Sighting) -> Sighting | None:
    """The beginning of a failure that is told with another frame, taken back from the failure it seemed to repeat."""
    if sighting.user_frame is None or sighting.whole:
        return None
    for failure in reversed(failures):
        loose = failure.loose
        if loose is not None and _begins(failure, sighting):
            failure.loose = None
            failure.count -= failure.loose_count
            return loose
    return None


def masked(words: str) -> str:
    """The words of a message without what changes from run to run and from rank to rank."""
    return _NUMBERS.sub("0", " ".join(words.split()))[:300]


def place_of(frame: Frame) -> tuple[str, int]:
    """A frame's place, the same for a file however its path is spelled."""
    return paths.normalise(frame.file).lower(), frame.line


def _identity(sighting: Sighting) -> str:
    """What makes an incident the same one in another run; only from text that is there when it is first seen."""
    parts = [sighting.pattern.record, masked(sighting.line_words)]
    frame = sighting.frame_above
    if frame is not None:
        parts += ["/".join(paths.normalise(frame.file).split("/")[-2:]), str(frame.line), frame.function or ""]
    return "\0".join(parts)


def _digest(identity: str, ordinal: int) -> str:
    return hashlib.blake2b(f"{identity}\0{ordinal}".encode("utf-8", "replace"), digest_size=8).hexdigest()


def _with_causes(incidents: list[Incident]) -> list[Incident]:
    """Symptoms point at the error that they are a symptom of."""
    if not any(incident.level == "symptom" for incident in incidents):
        return incidents
    linked: list[Incident] = []
    for incident in incidents:
        if incident.level == "symptom":
            cause = _cause(incident, incidents)
            if cause is not None:
                linked.append(
                    replace(
                        incident,
                        cause_of=cause.fingerprint,
                        user_frame=cause.user_frame or incident.user_frame,
                        frames=incident.frames or cause.frames,
                    )
                )
                continue
        linked.append(incident)
    return linked


def _cause(symptom: Incident, incidents: list[Incident]) -> Incident | None:
    line = symptom.span.line
    # A symptom that quotes the original traceback is of that failure, and no other one.
    block, frame = symptom.block, symptom.user_frame
    below = block is not None and frame is not None and symptom.span.end_line < frame.log_line <= block.end_line
    best: tuple[tuple[int, int, bool, int], Incident] | None = None
    for other in incidents:
        if other.level == "symptom" or other.record == symptom.record:
            continue
        distance = other.span.line - line
        if not -CAUSE_ABOVE <= distance <= CAUSE_BELOW:
            continue
        inside = symptom.block is not None and symptom.block.line <= other.span.line <= symptom.block.end_line
        if below and not inside and not _same_frame(symptom, other):
            continue
        rank = 0 if not symptom.ranks or set(symptom.ranks) & set(other.ranks) else 1
        level = 0 if other.level == "error" else 1
        key = (level, rank, not inside, abs(distance))
        if best is None or key < best[0]:
            best = (key, other)
    return best[1] if best else None


def _same_frame(one: Incident, other: Incident) -> bool:
    return (
        one.user_frame is not None
        and other.user_frame is not None
        and place_of(one.user_frame) == place_of(other.user_frame)
    )
