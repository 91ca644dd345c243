"""Edits on texts and files: nothing changes but what was meant to."""

from __future__ import annotations

import codecs
import os
import stat
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detour_lsp.source.apply import ApplyError, apply, decode, diff, difference, merge, overlaps, read_file, write_file
from detour_lsp.source.draft import Draft
from detour_lsp.source.finding import FileEdit, TextEdit


def test_apply_counts_in_the_original_text() -> None:
    assert apply("aé漢d", [TextEdit(3, 4, "D"), TextEdit(0, 1, "AA"), TextEdit(2, 2, "-")]) == "AAé-漢D"
    with pytest.raises(ApplyError):
        apply("abc", [TextEdit(0, 2, ""), TextEdit(1, 3, "")])
    with pytest.raises(ApplyError):
        apply("abc", [TextEdit(2, 9, "")])


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        (codecs.BOM_UTF8 + "x = 'é'\r\n".encode(), "x = 'é'\r\n", "utf-8"),
        ("# -*- coding: latin-1 -*-\nx = 'é'".encode("latin-1"), "# -*- coding: latin-1 -*-\nx = 'é'", "iso-8859-1"),
        ("x = '漢'\n".encode(), "x = '漢'\n", "utf-8"),
        (b"", "", "utf-8"),
    ],
)
def test_round_trip_of_encodings(data: bytes, text: str, encoding: str) -> None:
    found = decode(data)
    assert (found.text, found.encoding) == (text, encoding)
    assert found.encode(found.text) == data


def test_what_cannot_be_read_or_written_is_said() -> None:
    with pytest.raises(ApplyError, match="cannot be read"):
        decode(b"x = '\xff'\n", "train.py")
    with pytest.raises(ApplyError, match="cannot be read"):
        decode(b"# coding: no-such-thing\n")
    with pytest.raises(ApplyError, match="cannot express"):
        decode(b"# coding: latin-1\n").encode("漢")


def test_write_keeps_mode_link_and_everything_else(tmp_path: Path) -> None:
    real = tmp_path / "real.py"
    real.write_bytes(codecs.BOM_UTF8 + b"x = 1\r\n")
    real.chmod(0o750)
    link = tmp_path / "link.py"
    link.symlink_to(real)
    before = read_file(link)
    write_file(link, before, before.text.replace("1", "2"))
    assert real.read_bytes() == codecs.BOM_UTF8 + b"x = 2\r\n"
    assert stat.S_IMODE(real.stat().st_mode) == 0o750
    assert link.is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.py", "real.py"]


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_text("x = 1\n")
    before = read_file(path)
    path.write_text("x = 3\n")
    with pytest.raises(ApplyError, match="changed meanwhile"):
        write_file(path, before, "x = 2\n")
    assert path.read_text() == "x = 3\n"
    assert os.listdir(tmp_path) == ["a.py"]


@pytest.mark.parametrize("before", ["a\nb\nc", "a\r\nb\r\n", "a\x0cb\nc\n", "a\u2028b\nc\n"])
def test_diff_can_be_applied(before: str, tmp_path: Path) -> None:
    after = before.replace("b", "B")
    path = tmp_path / "f.py"
    path.write_bytes(before.encode())
    (tmp_path / "p.diff").write_bytes(diff("f.py", before, after).encode())
    done = subprocess.run(["git", "apply", "-p1", "p.diff"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert path.read_bytes() == after.encode()


def test_overlap_and_merge() -> None:
    one = [FileEdit("a.py", (TextEdit(0, 4, "x"),))]
    two = [FileEdit("a.py", (TextEdit(3, 5, "y"),))]
    three = [FileEdit("a.py", (TextEdit(4, 4, "z"),))]
    other = [FileEdit("b.py", (TextEdit(0, 4, "x"),))]
    assert overlaps(one, two)
    assert overlaps(one, three)
    assert not overlaps(one, other)
    assert merge([*one, *one, *other]) == [*one, *other]
    with pytest.raises(ApplyError):
        merge([*one, *two])


EDIT = st.tuples(st.integers(0, 30), st.integers(0, 6), st.text("ab漢", max_size=4))


@given(st.text("xy\r\n漢é", max_size=30), st.lists(EDIT, max_size=8))
def test_a_draft_tells_all_its_edits_against_the_original(text: str, changes: list[tuple[int, int, str]]) -> None:
    draft = Draft("a.py", text)
    expected = text
    for start, length, new in changes:
        begin = min(start, len(expected))
        end = min(begin + length, len(expected))
        expected = expected[:begin] + new + expected[end:]
        draft.change([TextEdit(begin, end, new)])
    assert draft.text == expected
    assert apply(text, draft.edits()) == expected


def test_what_records_write_gets_the_line_endings_of_the_file() -> None:
    draft = Draft("a.py", "a\r\nb\r\n")
    draft.change([TextEdit(3, 3, "x\ny\r\n")])
    assert draft.text == "a\r\nx\r\ny\r\nb\r\n"


def test_a_draft_remembers_places() -> None:
    draft = Draft("a.py", "one\ntwo\nthree\n")
    draft.mark("two", 4)
    draft.mark("end", 7, end=True)
    draft.change([TextEdit(4, 4, "new\n"), TextEdit(7, 7, " # behind")])
    assert draft.text == "one\nnew\ntwo # behind\nthree\n"
    assert draft.marked("two") == 8
    assert draft.marked("end") == 11
    draft.change([TextEdit(0, 4, "")])
    assert draft.marked("two") == 4


@given(st.text("ab\n", max_size=20), st.text("ab\n", max_size=20))
def test_difference(before: str, after: str) -> None:
    assert apply(before, difference(before, after)) == after
