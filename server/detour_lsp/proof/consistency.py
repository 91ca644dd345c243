"""`detour kb check`: everything about records that can be seen without running torch.

A record that a person meets must be right, so each claim that a machine can check is checked: wordings against the
logs that real torch printed, near misses, code that must and must not be flagged, edges, versions, dates, languages.
"""

from __future__ import annotations

import datetime
import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import regex

from detour_lsp.knowledge import versions
from detour_lsp.knowledge.compiled import CompiledKnowledge
from detour_lsp.knowledge.literals import required_literals
from detour_lsp.knowledge.loading import signatures_of
from detour_lsp.knowledge.record import Record
from detour_lsp.knowledge.scaffold import GAP
from detour_lsp.knowledge.schema import Problem, unknown_keys
from detour_lsp.logs.scan import Scanner
from detour_lsp.source.check import Checker

_CHINESE = re.compile("[\u4e00-\u9fff]")
_EXPECTED = re.compile(r"#\s*finding:\s*(\d+)")
#: A signature may take this long on an adversarial text; the same text takes a sane one microseconds.
ADVERSARIAL_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class _Context:
    knowledge: CompiledKnowledge
    scanner: Scanner
    checker: Checker


Check = Callable[[Record, Path, _Context], Iterator[tuple[str, str]]]


def check_records(knowledge: CompiledKnowledge, ids: Sequence[str] = ()) -> list[Problem]:
    """What is wrong with the records, worst first: broken files, then each record's own problems in order of id."""
    problems = list(knowledge.problems)
    context = _Context(knowledge, Scanner(knowledge), Checker(knowledge, None))
    for record_id in sorted(ids or knowledge.records):
        record = knowledge.records[record_id]
        folder = Path(record.origin).parent
        for check in CHECKS:
            problems += [Problem(record.origin, key, reason) for key, reason in check(record, folder, context)]
    return problems


def _identity(record: Record, folder: Path, _context: _Context) -> Iterator[tuple[str, str]]:
    if Path(record.origin).name != "record.json":
        return
    expected = "/".join(folder.parts[-record.id.count("/") - 1 :])
    if record.id != expected:
        yield "id", f"is {record.id!r}, but the folder says {expected!r}"
    if record.domain != record.id.partition("/")[0]:
        yield "domain", f"is {record.domain!r}, but the id begins with {record.id.partition('/')[0]!r}"
    data = json.loads(Path(record.origin).read_text(encoding="utf-8"))
    for key in unknown_keys(data):
        yield key, "unknown key; see docs/architecture.md"


def _gaps(record: Record, folder: Path, _context: _Context) -> Iterator[tuple[str, str]]:
    """What `kb new` left to fill in."""
    origin = Path(record.origin)
    if origin.is_file():
        for key in _keys_with_gap(json.loads(origin.read_text(encoding="utf-8"))):
            yield key, f"a {GAP} is left to fill in"
    for path in (folder / "repro.py", folder / "near-miss.txt"):
        if path.is_file() and GAP in path.read_text(encoding="utf-8"):
            yield path.name, f"a {GAP} is left to fill in"


def _keys_with_gap(data: object, key: str = "") -> Iterator[str]:
    if isinstance(data, str):
        if GAP in data:
            yield key
        return
    items: Iterable[tuple[object, object]] = ()
    if isinstance(data, dict):
        items = cast("dict[str, object]", data).items()
    elif isinstance(data, list):
        items = enumerate(cast("list[object]", data))
    for name, value in items:
        yield from _keys_with_gap(value, f"{key}.{name}" if key else str(name))


def _signatures(record: Record, _folder: Path, _context: _Context) -> Iterator[tuple[str, str]]:
    own = {signature.regex for signature in record.signatures}
    for index, signature in enumerate(signatures_of(record)):
        key = f"signatures.{index}" if signature.regex in own else "regex"
        try:
            if signature.example and not regex.search(
                signature.regex, signature.example, regex.MULTILINE, timeout=ADVERSARIAL_SECONDS
            ):
                yield f"{key}.example", "the regex does not match its own example"
            if not signature.example:
                yield f"{key}.example", "an example is missing: a line that some version prints"
            for attack in adversarial(signature.regex):
                began = time.process_time()
                regex.search(signature.regex, attack, regex.MULTILINE, timeout=ADVERSARIAL_SECONDS)
                if time.process_time() - began > ADVERSARIAL_SECONDS:  # regex looks at the clock only now and then
                    raise TimeoutError
        except TimeoutError:
            yield f"{key}.regex", "catastrophic backtracking: bound its repeats"
        if not required_literals(signature.regex):
            yield f"{key}.regex", "has no literal that every match must hold; without one each line is searched"
        for bound in signature.versions:
            if not versions.valid(bound):
                yield f"{key}.versions", f"{bound!r} is no version bound such as torch>=2.7"


def adversarial(pattern: str) -> Iterator[str]:
    """Texts on which a regex with nested or adjacent repeats takes exponential or cubic time."""
    literals = required_literals(pattern) or ("",)
    for filler in ("a", " ", "0", "a ", "(", "'", "x=1, ", "\n", "a\n"):
        yield literals[0] + filler * 3000 + "\x00"
        yield (literals[0] + filler) * 300 + "\x00"


def _logs(record: Record, folder: Path, context: _Context) -> Iterator[tuple[str, str]]:
    """Each stored output is recognised as this record, and as no other that is not declared to go with it."""
    logs = sorted((folder / "logs").glob("*.txt")) if (folder / "logs").is_dir() else []
    edges = record.transition_graph
    declared = {
        record.id,
        *record.outranks,
        *edges.leads_to,
        *edges.preceded_by,
        *edges.frequently_confused_with,
    }
    for log in logs:
        incidents = context.scanner.scan(log.read_bytes(), log.name)
        found = {incident.record for incident in incidents}
        if record.id not in found:
            yield (
                f"logs/{log.name}",
                f"is not recognised as this record (found {', '.join(sorted(found)) or 'nothing'})",
            )
        for incident in incidents:
            other = context.knowledge.records[incident.record]
            if incident.record not in declared and record.id not in other.outranks and incident.level != "symptom":
                yield (
                    f"logs/{log.name}",
                    f"line {incident.span.line} is taken for {incident.record}; "
                    "make the wording exact, or declare the edge or `outranks`",
                )


def _near_miss(record: Record, folder: Path, context: _Context) -> Iterator[tuple[str, str]]:
    path = folder / "near-miss.txt"
    if not path.is_file():
        return
    for incident in context.scanner.scan(path.read_bytes(), path.name):
        if incident.record == record.id:
            yield path.name, f"line {incident.span.line} must not match, and does"


def _code(record: Record, folder: Path, context: _Context) -> Iterator[tuple[str, str]]:
    bad, good = folder / "bad.py", folder / "good.py"
    if any(dead_end.detect for dead_end in record.dead_ends) and not bad.is_file():
        yield "bad.py", "is missing: `detect` needs code that it must flag"
    if bad.is_file():
        text = bad.read_text(encoding="utf-8")
        expected = {
            (number, int(match[1]))
            for number, line in enumerate(text.splitlines(), 1)
            for match in _EXPECTED.finditer(line)
        }
        found = {(f.line, f.dead_end) for f in context.checker.check(text, str(bad)) if f.record == record.id}
        for line, dead_end in sorted(expected - found):
            yield bad.name, f"line {line} must be flagged as dead end {dead_end}, and is not"
        for line, dead_end in sorted(found - expected):
            yield bad.name, f"line {line} is flagged as dead end {dead_end}, which its comment does not say"
    if good.is_file():
        for finding in context.checker.check(good.read_text(encoding="utf-8"), str(good)):
            if finding.record == record.id:
                yield good.name, f"line {finding.line} must stay silent, and is flagged: {finding.message}"


def _edges(record: Record, _folder: Path, context: _Context) -> Iterator[tuple[str, str]]:
    edges = record.transition_graph
    for name in ("leads_to", "preceded_by", "frequently_confused_with"):
        for other in getattr(edges, name):
            if other not in context.knowledge.records:
                yield f"transition_graph.{name}", f"{other!r} is no record"
    for other in record.outranks:
        if other not in context.knowledge.records:
            yield "outranks", f"{other!r} is no record"


def _facts(record: Record, _folder: Path, _context: _Context) -> Iterator[tuple[str, str]]:
    for index, bound in enumerate(record.versions):
        if not versions.valid(bound.version):
            yield f"versions.{index}", f"{bound.version!r} is no version bound such as torch>=2.0"
    if not record.official_doc_url and not record.sources:
        yield "sources", "cite at least one primary source"
    if not record.dead_ends:
        yield "dead_ends", "name at least one fix that people try in vain"
    if not record.workarounds:
        yield "workarounds", "name at least one fix that works"
    if record.verification_tier in ("reproduced", "proven") and not record.evidence:
        yield "verification_tier", f"{record.verification_tier} needs `evidence`; only `detour kb verify` writes it"
    yield from _dates(record)


def _dates(record: Record) -> Iterator[tuple[str, str]]:
    today = datetime.date.today() + datetime.timedelta(days=1)
    found: dict[str, datetime.date] = {}
    for key in ("first_seen", "last_confirmed", "last_updated"):
        text = getattr(record, key)
        try:
            found[key] = datetime.date.fromisoformat(text if len(text) > 7 else f"{text}-01")
        except ValueError:
            yield key, f"{text!r} is no date"
            continue
        if not datetime.date(2016, 1, 1) <= found[key] <= today:
            yield key, f"{text} cannot be: torch began in 2016, and today is {today}"
    if len(found) == 3 and not found["first_seen"] <= found["last_confirmed"] <= today:
        yield "last_confirmed", "lies before first_seen"


def _chinese(record: Record, _folder: Path, _context: _Context) -> Iterator[tuple[str, str]]:
    texts = {
        "signature_zh": (record.signature_zh, record.signature),
        "root_cause_zh": (record.root_cause_zh, record.root_cause),
    }
    if record.title:
        texts["title_zh"] = (record.title_zh, record.title)
    if record.correction:
        texts["correction_zh"] = (record.correction_zh, record.correction)
    for i, dead_end in enumerate(record.dead_ends):
        if dead_end.repair is not None:
            texts[f"dead_ends.{i}.repair.title_zh"] = (dead_end.repair.title_zh, dead_end.repair.title)
        texts[f"dead_ends.{i}.action_zh"] = (dead_end.action_zh, dead_end.action)
        texts[f"dead_ends.{i}.why_fails_zh"] = (dead_end.why_fails_zh, dead_end.why_fails)
    for i, workaround in enumerate(record.workarounds):
        texts[f"workarounds.{i}.action_zh"] = (workaround.action_zh, workaround.action)
        if workaround.repair is not None:
            texts[f"workarounds.{i}.repair.title_zh"] = (workaround.repair.title_zh, workaround.repair.title)
    for key, (chinese, english) in texts.items():
        if not _CHINESE.search(chinese):
            yield key, "the Chinese text is missing" if not chinese or chinese == english else "is not Chinese"


CHECKS: tuple[Check, ...] = (
    _identity, _gaps, _signatures, _logs, _near_miss, _code, _edges, _facts, _chinese,
)  # fmt: skip
