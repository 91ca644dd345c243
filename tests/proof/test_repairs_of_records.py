"""Every repair of every record, on its own programs written in other ways: what comes out parses and is settled.

The logs beside the records stand in for runs, so this needs no torch.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from detour_lsp.knowledge.compiled import CompiledKnowledge, open_knowledge
from detour_lsp.logs.incident import Incident
from detour_lsp.logs.scan import Scanner
from detour_lsp.source.apply import apply
from detour_lsp.source.finding import PlannedRepair
from detour_lsp.source.repair import Place, plan


def _tabs(text: str) -> str:
    return re.sub(r"^( {4})+", lambda match: "\t" * (len(match[0]) // 4), text, flags=re.MULTILINE)


def _inside_main(text: str) -> str:
    body = "".join(f"    {line}" if line.strip() else line for line in text.splitlines(keepends=True))
    return f"def main():\n{body}\n\nmain()\n"


VARIANTS: dict[str, Callable[[str], str]] = {
    "crlf": lambda text: text.replace("\n", "\r\n"),
    "no final newline": lambda text: text.rstrip("\n"),
    "moved, not ascii": lambda text: f"# 说明 ü 𝔘\n#\n{text}",
    "tabs": _tabs,
    "in a function": _inside_main,
}


@pytest.fixture(scope="module")
def knowledge() -> CompiledKnowledge:
    return open_knowledge()


@pytest.fixture(scope="module")
def incidents(knowledge: CompiledKnowledge) -> list[tuple[Path, Incident]]:
    """The incidents of the records' own programs, with the programs."""
    scanner = Scanner(knowledge)
    found: list[tuple[Path, Incident]] = []
    for record in knowledge.records.values():
        folder = Path(record.origin).parent
        for program in sorted(folder.glob("repro*.py")):
            variant = program.stem.removeprefix("repro").strip("_").replace("_", "-")
            for log in sorted(folder.glob(f"logs/{variant}{'-' if variant else ''}torch-*.txt"))[-1:]:
                mine = [item for item in scanner.scan(log.read_bytes(), log.name) if item.record == record.id]
                found += [(program, incident) for incident in mine[:1]]
    return found


def _plan(knowledge: CompiledKnowledge, incident: Incident, text: str) -> list[PlannedRepair]:
    frame = incident.user_frame
    place = Place("repro.py", frame.line, frame.function, frame.source) if frame is not None else None
    return plan(
        knowledge.records[incident.record],
        text=text,
        path="repro.py",
        incident_place=place,
        captures=incident.captures,
        torch="2.13.0",
        message=incident.message,
        signature=incident.signature,
    )


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


@pytest.mark.parametrize("name", VARIANTS)
def test_repairs_of_variants(knowledge: CompiledKnowledge, incidents: list[tuple[Path, Incident]], name: str) -> None:
    offered = 0
    turn = list(VARIANTS).index(name)
    for number, (program, incident) in enumerate(incidents):
        if (number + turn) % 5 > 1:
            # Each program in two of the five ways: all of them in all ways take a minute.
            continue
        text = VARIANTS[name](program.read_text(encoding="utf-8"))
        if not _parses(text):
            continue
        for repair in _plan(knowledge, incident, text):
            if repair.disabled:
                continue
            offered += 1
            where = f"{incident.record} {program.name}: {repair.title}"
            result = apply(text, repair.files[0].edits)
            assert result != text, where
            assert _parses(result), where
            if name == "crlf":
                assert re.search(r"(?<!\r)\n", result) is None, where
            for again in _plan(knowledge, incident, result):
                if again.workaround == repair.workaround and not again.disabled:
                    assert apply(result, again.files[0].edits) == result, where
    assert offered > 40
