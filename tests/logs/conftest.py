"""A scanner with a handful of signatures of the tests' own, so that these tests do not depend on the records."""

from __future__ import annotations

import pytest

from detour_lsp.knowledge.compiled import CompiledKnowledge, compile_knowledge
from detour_lsp.knowledge.loading import Knowledge
from detour_lsp.knowledge.record import Edges, Level, Record, Signature
from detour_lsp.logs.scan import Scanner

#: Programs whose output is stored are no tests of this project, even where their name begins like one.
collect_ignore = ["data"]

OOM = r"CUDA out of memory\.\s+Tried\s+to\s+allocate\s+(?P<requested>[\d.]+\s+\w+)"


def make_record(identity: str, *signatures: tuple[str, Level], outranks: tuple[str, ...] = ()) -> Record:
    """A record with these regexes and nothing else."""
    return Record(
        id=identity,
        signature=identity,
        signature_zh="",
        regex=signatures[0][0],
        domain=identity.partition("/")[0],
        category="runtime_error",
        subcategory=None,
        root_cause="",
        root_cause_type="generic",
        root_cause_zh="",
        versions=(),
        os_specific={},
        dead_ends=(),
        workarounds=(),
        workarounds_zh=(),
        transition_graph=Edges(),
        official_doc_url=None,
        official_doc_section=None,
        error_code=None,
        verification_tier="documented",
        confidence=0.5,
        fix_success_rate=None,
        resolvable="yes",
        first_seen="",
        last_confirmed="",
        last_updated="",
        evidence_count=0,
        tags=(),
        locale="en",
        aliases=(),
        signatures=tuple(Signature(regex, "", (), level) for regex, level in signatures),
        outranks=outranks,
    )


RECORDS = (
    make_record("t/oom", (OOM, "error"), (r"CUDA error: out of memory", "error")),
    make_record("t/segfault", (r"Fatal Python error: Segmentation fault", "error")),
    make_record(
        "t/launch",
        (r"unrecognized arguments: --local-rank", "error"),
        (r"The module torch\.distributed\.launch is deprecated", "warning"),
    ),
    make_record("t/scheduler", (r"Detected call of `lr_scheduler\.step\(\)` before", "warning")),
    make_record("t/unsupported", (r"torch\._dynamo\.exc\.Unsupported: ", "error")),
    make_record("t/view", (r"shape '\[[\d, ]+\]' is invalid for input of size \d+", "error")),
    make_record("t/anomaly", (r"Error detected in \w+Backward\d", "warning")),
    make_record("t/limit", (r"torch\._dynamo hit config\.recompile_limit \((?P<limit>\d+)\)", "warning")),
    make_record(
        "t/break",
        (r"Graph break in user code at [^\n]+:\d+", "warning"),
        (r"Graph break: [^\n]*from user code at:", "warning"),
        (r"Graph break from `\w+\.\w+\(\)`", "warning"),
    ),
    make_record(
        "t/child",
        (r"torch\.distributed\.elastic\.multiprocessing\.errors\.ChildFailedError", "symptom"),
        (r"failed \(exitcode: -?\d+\) of binary", "symptom"),
    ),
    make_record("t/worker", (r"Caught \w+ in DataLoader worker process \d+", "symptom")),
    make_record(
        "t/nccl", (r"unhandled system error[^\n]*(?:\n[^\n]*){0,3}?\nLast error:\s*\n(?P<decisive>[^\n]+)", "error")
    ),
    make_record("t/general", (r"RuntimeError: Triton Error", "error")),
    make_record("t/special", (r"Triton Error \[CUDA\]: invalid device", "error"), outranks=("t/general",)),
)


def knowledge_of(*records: Record) -> CompiledKnowledge:
    return compile_knowledge(Knowledge({record.id: record for record in records}, ()))


@pytest.fixture(scope="session")
def scanner() -> Scanner:
    return Scanner(knowledge_of(*RECORDS))
