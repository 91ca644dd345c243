"""Records made by hand, so that selectors are tested without the knowledge base."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from detour_lsp.knowledge.record import DeadEnd, Edges, Record
from detour_lsp.source.check import Checker
from detour_lsp.source.finding import Finding


@dataclass(frozen=True)
class Base:
    """Stands in for loaded knowledge."""

    records: Mapping[str, Record]


def dead_end(*detect: Mapping[str, Any], action: str = "do it", why: str = "It does not help. At all.") -> DeadEnd:
    return DeadEnd(action, why, None, detect=detect)


def record(name: str, *dead_ends: DeadEnd) -> Record:
    return Record(
        id=name, signature="s", signature_zh="", regex="never printed", domain="pytorch", category="c",
        subcategory=None, root_cause="r", root_cause_type="t", root_cause_zh="", versions=(), os_specific={},
        dead_ends=dead_ends, workarounds=(), workarounds_zh=(), transition_graph=Edges(), official_doc_url=None,
        official_doc_section=None, error_code=None, verification_tier="documented", confidence=0.5,
        fix_success_rate=None, resolvable="yes", first_seen="2024-01-01", last_confirmed="2026-11-30",
        last_updated="2026-11-30", evidence_count=0, tags=("a",), locale="en", aliases=(),
    )  # fmt: skip


def checker(*detect: Mapping[str, Any], torch: str | None = None) -> Checker:
    """A checker with one record of one dead end."""
    made = record("pytorch/test-record", dead_end(*detect))
    return Checker(Base({made.id: made}), torch)


def base(*records: Record) -> Base:
    return Base({item.id: item for item in records})


def lines(findings: Sequence[Finding]) -> list[int]:
    return [finding.line for finding in findings]


_MARK = re.compile(r"#\s*bad\b")


def marked(text: str) -> list[int]:
    """The lines that carry the comment `# bad`."""
    return [number for number, line in enumerate(text.splitlines(), 1) if _MARK.search(line)]


def expect(checker: Checker, text: str, path: str = "train.py") -> None:
    """Assert that exactly the marked lines have findings (a line may have several)."""
    found = checker.check(text, path)
    assert sorted(set(lines(found))) == marked(text), [(item.line, text.splitlines()[item.line - 1]) for item in found]


LIMIT = (
    {"set": ["torch._dynamo.config.recompile_limit", "torch._dynamo.config.cache_size_limit"], "value": {"le": 0}},
    {"set": ["torch._dynamo.config.recompile_limit", "torch._dynamo.config.cache_size_limit"], "value": {"ge": 100000}},
)
SUPPRESS = ({"set": "torch._dynamo.config.suppress_errors", "value": {"is": True}},)
LOAD = ({"call": "torch.load", "keyword": {"weights_only": {"is": False}}},)
COMPILE = ({"call": "torch.compile", "keyword": {"dynamic": {"is": False}}},)
ANOMALY = (
    {"call": "torch.autograd.set_detect_anomaly", "position": {"0": {"is": True}}, "outside": ["test", "flag"]},
    {"call": "torch.autograd.set_detect_anomaly", "keyword": {"mode": {"is": True}}, "outside": ["test", "flag"]},
)
AMP = ({"use": ["torch.cuda.amp.autocast", "torch.cuda.amp.GradScaler"]},)
CACHE = ({"call": "torch.cuda.empty_cache", "inside": ["loop", "method:training_step"]},)
VISIBLE = ({"env": "CUDA_VISIBLE_DEVICES", "after_call": "torch.cuda"},)
SCRIPT = ({"decorator": "torch.jit.script", "on": "forward"},)
FRESH = ({"call": "torch.compile", "position": {"0": {"kind": "fresh"}}, "inside": ["loop"]},)
