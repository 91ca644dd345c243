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


def write_proof(record: Record, proof: Proof, today: str | None = None) -> list[str]:
    """Put the proof into `record.json` and `logs/`; the names of the files that were changed."""
    path = Path(record.origin)
    content = read_file(path)
    data = cast("dict[str, Any]", json.loads(content.text))
    day = today or date.today().isoformat()
    added = _add_evidence(data, proof, day)
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


def _add_evidence(data: dict[str, Any], proof: Proof, day: str) -> bool:
    before = _count(data)
    for item in proof.reproductions:
        if item.recognised and item.framed is not False:
            note = "Run by kb verify: recognised" + (" on the line of the program." if item.framed else ".")
            zh = "由 kb verify 运行：已识别" + ("，并定位到程序中的行。" if item.framed else "。")
            _note(data, proof.version, item.program, "confirmed", note, zh, day)
        for attempt in item.attempts:
            target = cast("dict[str, Any]", data["workarounds"][attempt.workaround])
            if attempt.works and target.get("repair"):
                note = f"Detour applied the repair to {item.program}, which then ended with status 0 and no error."
                zh = f"Detour 把此修复应用到 {item.program}，之后程序以状态 0 结束，错误不再出现。"
                _note(target, proof.version, item.program, "confirmed", note, zh, day, own=True)
    for trial in proof.trials:
        if trial.fails:
            target = cast("dict[str, Any]", data["dead_ends"][trial.dead_end])
            _note(
                target,
                proof.version,
                trial.program,
                "confirmed",
                f"Still fails: {trial.saw}.",
                f"仍然失败：{trial.saw}。",
                day,
            )
    return _count(data) != before


def _note(
    target: dict[str, Any],
    version: str,
    program: str,
    outcome: str,
    note: str,
    zh: str,
    day: str,
    *,
    own: bool = False,
) -> None:
    """Add evidence unless the same run is noted already; `own` asks for a note of our own carrying out."""
    evidence = cast("list[dict[str, Any]]", target.setdefault("evidence", []))
    for item in evidence:
        programs = re.split(r",\s*", str(item.get("program", "")))
        versions = re.split(r",\s*", str(item.get("version", "")))
        if (
            program in programs
            and version in versions
            and (not own or str(item.get("note", "")).startswith("Detour applied"))
        ):
            return
    evidence.append(
        {
            "package": "torch",
            "version": version,
            "outcome": outcome,
            "program": program,
            "note": note,
            "date": day,
            "note_zh": zh,
        }
    )


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
