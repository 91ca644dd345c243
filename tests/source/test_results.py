"""What the result of a call is used for, followed through names, methods and functions."""

from __future__ import annotations

import pytest
from repairing import planned, repaired

EDIT = {
    "edit": "replace_name", "at": {"call": "torch.jit.script", "which": "first"}, "name": "torch.jit.script",
    "to": "torch.compile", "unless_used": ["save", "graph", "torch.jit.*"],
}  # fmt: skip


KEPT = "class A:\n    def f(self):\n        {}\n    def g(self):\n        {}\n"


@pytest.mark.parametrize(
    ("code", "used"),
    [
        ("s = torch.jit.script(net)\ns.save('a.pt')\n", ".save"),
        ("torch.jit.script(net).save('a.pt')\n", ".save"),
        ("s = torch.jit.script(net.eval())\nt = s\nprint(t.eval().graph)\n", ".graph"),
        ("s = torch.jit.script(net) if fast else net\ntorch.jit.save(s, 'a.pt')\n", "torch.jit.save"),
        ("s = torch.jit.freeze(torch.jit.script(net))\n", "torch.jit.freeze"),
        (KEPT.format("self.s = torch.jit.script(net)", "self.s.save('a')"), ".save"),
        (KEPT.format("return torch.jit.script(self.net)", "self.f().save('a')"), ".save"),
        ("def make():\n    return torch.jit.script(net)\ndef f():\n    s = make()\n    s.save('a.pt')\n", ".save"),
    ],
)
def test_what_the_result_is_used_for_is_kept(code: str, used: str) -> None:
    assert f"used with {used}, which" in planned(f"import torch\n{code}", [EDIT]).disabled


@pytest.mark.parametrize(
    "code",
    [
        "s = torch.jit.script(net)\ny = s(x)\nother.save('a.pt')\n",
        "s = torch.jit.script(net)\ns.eval()(x).sum().backward()\ntorch.save(s.state_dict(), 'a.pt')\n",
        "def make(net):\n    return torch.jit.script(net)\ny = make(net)(x)\nnet.save('a.pt')\n",
    ],
)
def test_other_uses_do_not_matter(code: str) -> None:
    text = f"import torch\n{code}"
    assert repaired(text, EDIT) == text.replace("torch.jit.script", "torch.compile")
