"""Writes what was seen into a record: evidence, tier, and the output itself. Nothing else may raise a tier."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import date
from pathlib import Path
from typing import Any, cast

from detour_lsp.knowledge.record import Record, Tier
from detour_lsp.proof.proving import Proof
from detour_lsp.source.apply import read_file, write_file

_ORDER: tuple[Tier, ...] = ("ai_generated", "documented", "reproduced", "proven")


def tier_after(record: Record, proof: Proof) -> Tier:
    """The tier that the proof gives; it never lowers one, since another version or machine may have given it."""
    seen: Tier = "proven" if proof.proven else "reproduced" if proof.reproduced else record.verification_tier
    return seen if _ORDER.index(seen) > _ORDER.index(record.verification_tier) else record.verification_tier


def confirmed(record: Record, proof: Proof) -> bool:
    """Whether what was seen bears out the tier that the record has."""
    if record.verification_tier == "proven":
        return proof.proven
    return proof.reproduced if record.verification_tier == "reproduced" else True


def rests_on(record: Record) -> list[str]:
    """The torch versions under which `kb verify` has seen what gives the record its tier.

    A tier that was earned under one torch is no promise about another: a build without CUDA cannot say that there is
    no driver, and an old version says nothing where a new one warns.
    """
    proven = record.verification_tier == "proven"
    holders = [workaround.evidence for workaround in record.workarounds] if proven else [record.evidence]
    note = _REPAIRED if proven else _RECOGNISED
    return sorted({item.version for evidence in holders for item in evidence if item.note == note})


def write_proof(record: Record, proof: Proof, today: str | None = None) -> list[str]:
    """Put the proof into `record.json` and `logs/`; the names of the files that were changed."""
    path = Path(record.origin)
    content = read_file(path)
    data = cast("dict[str, Any]", json.loads(content.text))
    day = today or date.today().isoformat()
    added = _add_evidence(record, data, proof, day)
    tier = tier_after(record, proof)
    changed: list[str] = []
    if added or tier != data["verification_tier"]:
        data["verification_tier"] = tier
        data["last_confirmed"] = max(str(data.get("last_confirmed", "")), day)
        data["evidence_count"] = max(int(data.get("evidence_count", 0)), _count(data))
        text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
        write_file(path, content, text.replace("\n", "\r\n") if "\r\n" in content.text else text)
        changed.append(path.name)
    return changed


def _same_repair(record: Record, data: dict[str, Any], index: int) -> bool:
    """Whether the file still has, at that place, the repair that was tried: somebody may be editing it."""
    repair = record.workarounds[index].repair
    written = data["workarounds"][index].get("repair") if index < len(data["workarounds"]) else None
    return repair is not None and bool(written) and list(repair.edits) == written["edits"]


def _add_evidence(record: Record, data: dict[str, Any], proof: Proof, day: str) -> bool:
    before = json.dumps(data)
    seen = [item.program for item in proof.reproductions if item.recognised and item.framed is not False]
    _note(data, proof.version, seen, _RECOGNISED, _RECOGNISED_ZH, day)
    for index in sorted({attempt.workaround for item in proof.reproductions for attempt in item.attempts}):
        repaired = [
            item.program
            for item in proof.reproductions
            if any(attempt.workaround == index and attempt.works for attempt in item.attempts)
        ]
        if repaired and _same_repair(record, data, index):
            _note(data["workarounds"][index], proof.version, repaired, _REPAIRED, _REPAIRED_ZH, day, own=True)
    for trial in proof.trials:
        if trial.fails and trial.dead_end < len(data["dead_ends"]):
            note, zh = f"Still fails: {trial.saw}.", f"仍然失败：{trial.saw}。"
            _note(data["dead_ends"][trial.dead_end], proof.version, [trial.program], note, zh, day)
    return json.dumps(data) != before


_RECOGNISED = "kb verify: run and recognised, on the program's own line where the log names one."
_RECOGNISED_ZH = "kb verify：已运行并识别；日志指明行号时定位到程序自身的行。"
_REPAIRED = "kb verify: Detour applied the repair; the program then ended with status 0 and no error."
_REPAIRED_ZH = "kb verify：由 Detour 应用此修复后，程序以状态 0 结束且不再报错。"


def _note(
    target: dict[str, Any], version: str, programs: list[str], note: str, zh: str, day: str, *, own: bool = False
) -> None:
    """Note the programs that are not noted yet for this version; `own` asks for a note of Detour's own carrying out."""
    evidence = cast("list[dict[str, Any]]", target.setdefault("evidence", []))
    mine: dict[str, Any] | None = None
    noted: set[str] = set()
    for item in evidence:
        if version not in _parts(item, "version") or item.get("outcome") != "confirmed":
            continue
        if item.get("note") == note and _parts(item, "version") == [version]:
            mine = item
        if not own or item.get("note") == note:
            noted.update(_parts(item, "program"))
    missing = [program for program in programs if program not in noted]
    if not missing:
        if not evidence:
            del target["evidence"]
        return
    if mine is not None:
        mine["program"] = ", ".join([*_parts(mine, "program"), *missing])
        mine["date"] = day
        return
    evidence.append(
        {
            "package": "torch",
            "version": version,
            "outcome": "confirmed",
            "program": ", ".join(missing),
            "note": note,
            "date": day,
            "note_zh": zh,
        }
    )


def _parts(item: Mapping[str, Any], key: str) -> list[str]:
    return [part for part in re.split(r",\s*", str(item.get(key, ""))) if part]


def _count(data: Mapping[str, Any]) -> int:
    holders = [data, *data.get("dead_ends", ()), *data.get("workarounds", ())]
    return sum(len(holder.get("evidence", ())) for holder in holders)


def store_logs(record: Record, proof: Proof, folders: Mapping[str, str]) -> list[str]:
    """Keep what the programs printed, with neutral paths, where no output of this version is stored yet."""
    folder = Path(record.origin).parent
    written: list[str] = []
    for item in proof.reproductions:
        variant = Path(item.program).stem.removeprefix("repro").removeprefix("_").replace("_", "-")
        path = folder / "logs" / f"{variant}{'-' if variant else ''}torch-{proof.version}.txt"
        if not item.recognised or path.exists():
            continue
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(neutral(item.output, folders.items()))
        written.append(path.name)
    return written


def neutral(output: bytes, folders: Iterable[tuple[str, str]]) -> bytes:
    """The output without this machine's paths."""
    for own, public in sorted(folders, key=lambda pair: -len(pair[0])):
        output = output.replace(own.encode(), public.encode())
    return output
