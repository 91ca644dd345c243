"""What pasting, mailing and narrow windows do to text: the error is found, with its line and frame."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from tests.logs.samples import NAMES, TEXTS

from detour_lsp.knowledge.compiled import open_knowledge
from detour_lsp.logs.incident import Incident
from detour_lsp.logs.scan import Scanner

Lines = list[str]


def wrap(width: int, prefix: str = "") -> Callable[[Lines], Lines]:
    """Cut every line at a window's right border."""
    return lambda lines: [
        prefix + part
        for line in lines
        for part in ([line[start : start + width] for start in range(0, len(line), width)] or [""])
    ]


def mixed_with_stdout(lines: Lines) -> Lines:
    """Another stream's line after every ninth."""
    return [
        part for n, line in enumerate(lines) for part in ((line, f"step {n} loss 0.123") if n % 9 == 8 else (line,))
    ]


DAMAGE: dict[str, Callable[[Lines], Lines]] = {
    "padded": lambda lines: [line.ljust(140) for line in lines],
    "line ends of Windows": lambda lines: [line + "\r" for line in lines],
    "tabs": lambda lines: [re.sub("^ +", lambda blanks: "\t" * (len(blanks[0]) // 2), line) for line in lines],
    "blank lines": lambda lines: [part for line in lines for part in (line, "")],
    "fenced": lambda lines: ["Hello, I get this:", "```", *lines, "```", "any idea?"],
    "indented": lambda lines: ["    " + line for line in lines],
    "behind a bar": lambda lines: ["  5%|▌         | 5/100 [00:01<00:20,  4.5it/s]" + lines[0], *lines[1:]],
    "behind rewritten bars": lambda lines: ["\r  5%|▌   | 5/100\r  6%|▌   | 6/100\r" + lines[0], *lines[1:]],
    "mixed with stdout": mixed_with_stdout,
}
#: Layouts that carry no frame on lines of their own lose it when lines are cut or joined; these keep it.
PLAIN = [
    name for name in NAMES if not name.startswith(("notebook", "rich", "test_model", "group", "warned", "compiled"))
]


def essence(incident: Incident) -> tuple[str, str, int]:
    frame = incident.user_frame
    return incident.record, frame.file if frame else "", frame.line if frame else 0


def found(scanner: Scanner, lines: Lines) -> set[tuple[str, str, int]]:
    return {essence(incident) for incident in scanner.scan("\n".join(lines).encode(), "x.log")}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage(scanner: Scanner, damage: str) -> None:
    for name in NAMES:
        lines = TEXTS[name].rstrip("\n").split("\n")
        assert found(scanner, DAMAGE[damage](lines)) == found(scanner, lines), name


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("width", [80, 97, 120])
def test_cut_at_a_windows_border(scanner: Scanner, name: str, width: int) -> None:
    lines = TEXTS[name].rstrip("\n").split("\n")
    assert found(scanner, wrap(width)(lines)) == found(scanner, lines)


def test_places_in_lines_that_were_put_together(scanner: Scanner) -> None:
    text = TEXTS["plain-3.12"].rstrip("\n").split("\n")
    cut = wrap(80)(text)
    (incident,) = scanner.scan("\n".join(cut).encode(), "x.log")
    line = cut[incident.span.line - 1]
    assert line[incident.span.column - 1 :].startswith("CUDA out of memory")
    assert incident.user_frame is not None
    assert "plain.py" in cut[incident.user_frame.log_line - 1]


def test_lines_of_equal_length_are_not_a_window(scanner: Scanner) -> None:
    line = (
        "loss.cu:94: operator(): block: [{n},0,0], thread: [5{n},0,0] Assertion `x >= 0 && x <= 1` failed, "
        "CUDA error: out of memory"
    )
    text = "\n".join(line.format(n=n) for n in range(6))
    (incident,) = scanner.scan(text.encode(), "x.log")
    assert (incident.span.line, incident.span.end_line, incident.count) == (1, 1, 6)


@pytest.mark.parametrize("blank", ["", " "])
def test_a_message_wrapped_between_words_below_a_box(blank: str) -> None:
    scanner = Scanner(open_knowledge())
    rule = "─" * 78
    text = (
        f"╭{rule}╮\n│ /home/u/project/train.py:40 in main {' ' * 41}│\n╰{rule}╯\n"
        f"RuntimeError: stack expects each tensor to be equal size, but got [3, 224] at{blank}\n"
        "entry 0 and [3, 144] at entry 6\n"
    )
    (incident,) = scanner.scan(text.encode(), "log")
    assert (incident.record, incident.span.line, incident.span.end_line) == ("pytorch/dataloader-collate", 4, 5)
