"""Planning: which repairs are offered, in which order, and why the others are not."""

from __future__ import annotations

from typing import Any

import pytest
from repairing import planned, record_of, repaired, workaround

from detour_lsp.knowledge.record import DeadEnd, Evidence, Repair
from detour_lsp.source.apply import apply
from detour_lsp.source.check import Checker
from detour_lsp.source.repair import Place, plan

DYNAMIC = {
    "edit": "set_keyword",
    "at": {"call": "torch.compile", "scope": "workspace"},
    "name": "dynamic",
    "value": "True",
}
MODEL = "import torch\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return x + 1\n"
LIMIT = {"set": "torch._dynamo.config.recompile_limit", "value": {"le": 0}}


def dead_end(**more: Any) -> DeadEnd:
    remove = Repair(({"edit": "remove_statement", "at": "finding"},), "safe", "Delete the limit")
    return DeadEnd("limit = 0", "compiles nothing", 0.9, detect=(LIMIT,), repair=remove, **more)


def test_conditions_decide_and_say_why() -> None:
    record = record_of(
        workaround(DYNAMIC, when={"reason": "size", "why": "Only sizes."}),
        workaround(DYNAMIC, when={"torch": ">=2.7"}, applicability="unsafe"),
        workaround({**DYNAMIC, "value": "None"}),
    )
    found = plan(
        record, text="import torch\nm = torch.compile(n)\n", path="a.py", captures={"reason": "rank"}, torch="2.13.0"
    )
    assert [(item.workaround, item.disabled, item.preferred) for item in found] == [
        (1, "", False),
        (2, "", True),
        (0, "Only sizes.", False),
    ]


def test_refuted_claims_are_never_offered() -> None:
    refuted = workaround(DYNAMIC)
    evidence = Evidence("torch", "2.13.0", "refuted", "repro.py", "does not help", "2026-11-30")
    refuted = type(refuted)(refuted.action, 0.5, "", repair=refuted.repair, evidence=(evidence,))
    assert plan(record_of(refuted), text="import torch\ntorch.compile(n)\n", path="a.py", captures={}) == []


def test_code_conditions_are_asked_in_the_frame_file() -> None:
    full = {"without": {"call": "torch.compile", "keyword": {"fullgraph": {"is": True}}}}
    record = record_of(
        workaround({"edit": "add_decorator", "at": "frame", "code": "torch.compiler.disable"}, when=full)
    )
    text = f"{MODEL}m = torch.compile(Net(), fullgraph=True)\n"
    (repair,) = plan(record, text=text, path="a.py", incident_place=Place("a.py", 5), captures={})
    assert "fullgraph=True" in repair.disabled
    text = f"{MODEL}m = torch.compile(Net())\n"
    (repair,) = plan(record, text=text, path="a.py", incident_place=Place("a.py", 5), captures={})
    assert apply(text, repair.files[0].edits) == text.replace(
        "    def forward", "    @torch.compiler.disable\n    def forward"
    )


def test_a_frame_is_found_again_when_the_file_has_moved() -> None:
    edit = {"edit": "append_call", "at": {"call": ".backward", "scope": "frame", "receiver": True}, "call": ".sum()"}
    text = "import torch\n\n\nloss.backward()\n"
    record = record_of(workaround(edit))
    (repair,) = plan(
        record, text=text, path="a.py", incident_place=Place("a.py", 2, None, "loss.backward()"), captures={}
    )
    assert apply(text, repair.files[0].edits).endswith("loss.sum().backward()\n")
    (repair,) = plan(record, text=text, path="a.py", incident_place=Place("a.py", 4, None, "other()"), captures={})
    assert repair.disabled == "line 4 no longer reads as in the log"
    (repair,) = plan(record, text=text, path="a.py", incident_place=Place("a.py", 400), captures={})
    assert repair.disabled


def test_other_files() -> None:
    files = {
        "model.py": MODEL,
        "train.py": "import torch\nfrom model import Net\nm = torch.compile(Net())\n",
        "other.py": "import torch\nm = torch.compile(x)\n",
    }
    record = record_of(workaround(DYNAMIC))
    (repair,) = plan(
        record, text=files["model.py"], path="model.py", incident_place=Place("model.py", 5), captures={},
        read=files.get, files=tuple(files),
    )  # fmt: skip
    (edit,) = repair.files
    assert edit.path == "train.py"
    assert "torch.compile(Net(), dynamic=True)" in apply(files["train.py"], edit.edits)
    files["train2.py"] = files["train.py"]
    (repair,) = plan(
        record, text=files["model.py"], path="model.py", incident_place=Place("model.py", 5), captures={},
        read=files.get, files=tuple(files),
    )  # fmt: skip
    assert "2 places in train.py, train2.py" in repair.disabled


def test_a_place_in_another_file_of_the_traceback() -> None:
    files = {"model.py": MODEL, "train.py": "import torch\nm = torch.compile(x)\n"}
    record = record_of(workaround({**DYNAMIC, "at": {"call": "torch.compile"}}))
    (repair,) = plan(
        record, text=MODEL, path="model.py", incident_place=Place("model.py", 5), captures={},
        read=files.get, near=["train.py"],
    )  # fmt: skip
    assert repair.files[0].path == "train.py"


def test_a_finding_is_taken_out_or_replaced_by_what_works() -> None:
    text = "import torch\ntorch._dynamo.config.recompile_limit = 0\nm = torch.compile(n)\n"
    record = record_of(workaround(DYNAMIC), workaround(DYNAMIC, when={"reason": "size"}), dead_ends=(dead_end(),))

    class Base:
        records = {"pytorch/test": record}  # noqa: RUF012

    (finding,) = Checker(Base()).check(text, "a.py")
    found = plan(record, text=text, path="a.py", finding=finding)
    assert [(item.title, item.dead_end, item.workaround, item.preferred) for item in found] == [
        ("Delete the limit", 0, None, True),
        ("Delete the limit, and repair it", 0, 0, False),
    ]
    assert apply(text, found[1].files[0].edits) == "import torch\nm = torch.compile(n, dynamic=True)\n"


@pytest.mark.parametrize(
    ("code", "captures", "reason"),
    [
        ("torch._dynamo.config.x = {limit}", {}, "does not tell the limit"),
        ("torch._dynamo.config.x = {limit}", {"limit": "__import__('os').system('x')"}, "not a plain value"),
        ("torch._dynamo.config.x = {limit}", {"limit": "1\nimport os"}, "not a plain value"),
        ("torch._dynamo.config.x = {limit*2}", {"limit": "many"}, "not a whole number"),
        ("torch._dynamo.config.x = (", {}, "would not parse"),
        ("return 1", {}, "would not compile"),
    ],
)
def test_what_would_be_wrong_code_is_refused(code: str, captures: dict[str, str], reason: str) -> None:
    edit = {"edit": "insert_statement", "at": "frame", "where": "before", "code": code}
    assert reason in planned("import torch\nx = 1\n", [edit], 2, captures=captures).disabled


def test_captures_in_places() -> None:
    edit = {
        "edit": "replace_value", "value": "{got}",
        "at": {"call": ["torch.nn.Conv?d"], "position": {"0": {"is": "{expected}"}}, "argument": 0},
    }  # fmt: skip
    text = (
        "from torch import nn\nclass N(nn.Module):\n    def __init__(self):\n        self.a = nn.Conv2d(3, 8, 3)\n"
        "        self.b = nn.Conv2d(3, 4, 3)\n    def forward(self, x):\n        return self.b(x)\n"
    )
    result = repaired(text, edit, line=7, captures={"expected": "3", "got": "8"})
    assert result == text.replace("self.b = nn.Conv2d(3,", "self.b = nn.Conv2d(8,")


def test_edits_are_all_or_none_unless_optional() -> None:
    second = {"edit": "replace_method", "at": {"call": ".gone"}, "name": "gone", "to": "here"}
    text = "import torch\nm = torch.compile(n)\n"
    assert "no .gone" in planned(text, [DYNAMIC, second]).disabled
    assert repaired(text, DYNAMIC, {**second, "optional": True}).endswith("dynamic=True)\n")


def test_files_with_errors_elsewhere_can_be_repaired() -> None:
    text = "import torch\nm = torch.compile(n)\ndef f(:\n    pass\n"
    assert repaired(text, DYNAMIC) == text.replace("(n)", "(n, dynamic=True)")


def test_a_hostile_record_is_refused_not_a_crash() -> None:
    for edit in (
        {"edit": "replace_text", "at": "frame", "pattern": "(", "to": "x"},
        {"edit": "replace_text", "at": {"statement": "("}, "pattern": "a", "to": "x"},
        {"edit": "replace_text", "at": {"statement": r"(\w+ ?)+=(\w+ ?)+;$"}, "pattern": "a", "to": "x"},
        {"edit": "replace_value", "at": "frame", "argument": "first", "value": "1"},
        {"edit": "no_such_edit", "at": "frame"},
        {"edit": "replace_text", "at": "frame", "pattern": "x", "to": r"\9"},
    ):
        assert planned("import torch\nx = 1\n", [edit], 2).disabled
