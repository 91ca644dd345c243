"""Incidents and findings in the JSON of DESIGN section 6, version 1: the one place that fixes its keys and order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from detour_lsp.logs.incident import Incident
    from detour_lsp.source.finding import Finding

VERSION = 1


def incident_shape(incident: Incident) -> dict[str, Any]:
    """One incident as JSON."""
    frame = incident.user_frame
    return {
        "record": incident.record,
        "tier": incident.tier,
        "level": incident.level,
        "file": incident.file,
        "line": incident.span.line,
        "column": incident.span.column,
        "end_line": incident.span.end_line,
        "end_column": incident.span.end_column,
        "message": incident.message,
        "captures": dict(incident.captures),
        "frame": None
        if frame is None
        else {"file": frame.file, "line": frame.line, "function": frame.function, "resolved": incident.resolved},
        "count": incident.count,
        "ranks": list(incident.ranks),
        "cause_of": incident.cause_of,
        "truncated": incident.truncated,
        "fingerprint": incident.fingerprint,
    }


def finding_shape(finding: Finding) -> dict[str, Any]:
    """One finding as JSON; notebooks add `cell`, counted from 1."""
    shape: dict[str, Any] = {
        "record": finding.record,
        "dead_end": finding.dead_end,
        "file": finding.file,
        "line": finding.line,
        "column": finding.column,
        "end_line": finding.end_line,
        "end_column": finding.end_column,
        "severity": finding.severity,
        "message": finding.message,
        "repairs": [
            {"title": repair.title, "applicability": repair.applicability, "preferred": repair.preferred}
            for repair in finding.repairs
            if not repair.disabled
        ],
        "fingerprint": finding.fingerprint,
    }
    if finding.cell is not None:
        shape["cell"] = finding.cell + 1
    return shape
