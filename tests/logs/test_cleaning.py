"""Clean text, and for each of its characters the line and column of the original that it came from."""

from __future__ import annotations

import pytest

from detour_lsp.logs import blocks
from detour_lsp.logs.cleaning import clean, unescape
from detour_lsp.logs.decoding import Transcoder


def text_of(raw: bytes) -> list[str]:
    return [unit.text for unit in clean(raw, 1, 1)[0]]


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (b"plain", ["plain"]),
        (b"\x1b[1;31mRuntimeError\x1b[0m: x\x1b[K", ["RuntimeError: x"]),
        (b"\x1b]0;a title\x07text", ["text"]),
        (b"\x1b]8;;https://a.b/c\x1b\\link\x1b]8;;\x1b\\ end", ["link end"]),
        (b"\x1b]133;A\x07\x1b]633;D;0\x07\x1b]1337;CurrentDir=/x\x07$ ls", ["$ ls"]),
        (b"\x1bP1$r0m\x1b\\x", ["x"]),
        (b"\x1b(B\x1b)0\x1b=ok\x1b>", ["ok"]),
        ("\x9b31mred\x9b0m".encode(), ["red"]),
        (b"a\x1b[5Cb", ["a     b"]),
        (b"old\x1b[2K\x1b[1Gnew", ["old", "new"]),
        (b"one\rtwo\rthree", ["one", "two", "three"]),
        (b"bar 10%\rRuntimeError: x", ["bar 10%", "RuntimeError: x"]),
        (b"abc\b\b\bxyz", ["xyz"]),
        (b"N\bNA\bAM\bME\bE", ["NAME"]),
        (b"abc\b\b", ["abc"]),
        (b"a\0b\x07c", ["abc"]),
        (b"\x0cnew page", ["new page"]),
        ("a\x85b\u2028c".encode(), ["a b c"]),
        (b"bad \xff\xfe utf8", ["bad \ufffd\ufffd utf8"]),
        (b"cut \xe2\x82", ["cut \ufffd"]),
        ("\ufeffBOM\u200b".encode(), ["BOM"]),
        (b"^[[31mred^[[0m", ["red"]),
        (b"\\x1b[31mred\\u001b[0m \\033[1mx", ["red x"]),
        (b"[36m(actor pid=1)[0m x", ["(actor pid=1) x"]),
        (b"rows[3m] stay", ["rows[3m] stay"]),
        (b"File &quot;a.py&quot;, in &lt;module&gt; &#39;x&#39;", ["File \"a.py\", in <module> 'x'"]),
        ("File “a.py”, ‘x’".encode(), ["File \"a.py\", 'x'"]),
        (b"unfinished \x1b]0;title without an end", ["unfinished title without an end"]),
        (b"lone \x1b", ["lone "]),
    ],
)
def test_shown(raw: bytes, shown: list[str]) -> None:
    assert text_of(raw) == shown


@pytest.mark.parametrize(
    "raw",
    [
        b"12%|##  | 3/20\x1b[A\r\x1b[31mRuntimeError\x1b[0m: \x1b[1mX\x1b[0m",
        "ünï \x1b]8;;http://x\x07RuntimeError\x1b]8;;\x07: X".encode(),
        b"a\0\0\x1b[2Cb\b\bcc RuntimeError: X",
        b"\xff\xfe&amp;&quot; RuntimeError: X",
    ],
)
def test_columns_of_the_original(raw: bytes) -> None:
    original = raw.decode("utf-8", "replace")
    units, length = clean(raw, 7, 1)
    assert length == len(original)
    unit = next(unit for unit in units if "RuntimeError" in unit.text)
    assert unit.line == 7
    start = unit.text.index("RuntimeError")
    for offset in range(len("RuntimeError")):
        assert original[unit.column_at(start + offset) - 1] == unit.text[start + offset]
    end = unit.text.index("X")
    assert original[unit.column_at(end) - 1] == "X"
    assert unit.column_at(len(unit.text)) == unit.column_at(end) + 1


def test_escaped_lines_keep_their_columns() -> None:
    raw = rb'12:00 ERROR "Traceback:\n  File \"C:\\x\\a.py\", line 3\nRuntimeError: bad" done'
    (unit,) = clean(raw, 1, 1)[0]
    parts = unescape(unit)
    assert [part.text for part in parts] == [
        '12:00 ERROR "Traceback:',
        '  File "C:\\x\\a.py", line 3',
        'RuntimeError: bad" done',
    ]
    assert parts[2].column_at(0) == raw.index(b"RuntimeError") + 1
    assert parts[1].column_at(8) == raw.index(b"C:") + 1


@pytest.mark.parametrize("text", [r"saved to C:\new\net.pt", r"regex \n+ is fine", r"a\nb"])
def test_a_backslash_and_an_n_are_not_always_a_line_end(text: str) -> None:
    (unit,) = clean(text.encode(), 1, 1)[0]
    assert unescape(unit) == [unit]


def test_lines_of_many_megabytes_are_read_in_pieces() -> None:
    bar = b"".join(b"\r%6d/100000 [%4d:00<01:00]" % (n, n) for n in range(80_000)) + b"\rRuntimeError: at last"
    pieces = list(blocks.pieces(bar))
    assert len(pieces) > 3
    assert b"".join(part for part, _ in pieces) == bar
    assert max(len(part) for part, _ in pieces) <= 2 * blocks.PIECE
    assert all(part.endswith(b"\r") for part, _ in pieces[:-1])
    units = blocks.units_of(bar, 3, 1, candidate=True)
    last = units[-1]
    assert last.text == "RuntimeError: at last"
    assert (last.line, last.column) == (3, bar.index(b"RuntimeError") + 1)
    assert len(units) < 100


def test_pieces_do_not_cut_characters() -> None:
    raw = "ж".encode() * (3 * blocks.PIECE)
    for part, _ in blocks.pieces(raw):
        part.decode("utf-8")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("size", [1, 3, 1000])
def test_transcoder(encoding: str, size: int) -> None:
    text = "Epoch 1\r\n" * 20 + "Größe – 形状 🙂\n"
    raw = text.encode(encoding)
    transcoder = Transcoder()
    out = b"".join(transcoder.feed(raw[start : start + size]) for start in range(0, len(raw), size))
    out += transcoder.close()
    assert out.decode("utf-8") == text


def test_first_bytes_of_ordinary_text_are_not_held_back() -> None:
    assert Transcoder().feed(b"hello") == b"hello"
