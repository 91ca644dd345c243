"""Output for people."""

from __future__ import annotations

import re
from io import StringIO

import pytest

from detour_lsp.cli.terminal import print_markdown

CARD = "### Recompile limit reached\n\n`pytorch/x` · proven\n\n```python\nmodel = torch.compile(model)  # once\n```\n"
SGR = re.compile(r"\x1b\[([0-9;]*)m")


@pytest.mark.parametrize("true_colour", [True, False])
def test_a_card_on_a_terminal_forces_no_background(monkeypatch: pytest.MonkeyPatch, true_colour: bool) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor" if true_colour else "")
    stream = StringIO()
    print_markdown(CARD, stream)
    shown = stream.getvalue()
    codes = [int(code) for run in SGR.findall(shown) for code in run.split(";") if code]
    assert 36 in codes, "code is coloured"
    # 40 to 49 and 100 to 107 set a background; 38 and 48 begin a colour that is not one of the terminal's own.
    assert not [code for code in codes if 40 <= code <= 49 or 100 <= code <= 107 or code == 38]
    assert "torch.compile(model)" in SGR.sub("", shown)
