"""The line index against a reference that starts afresh after every edit."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detour_lsp.workspace import document as document_module
from detour_lsp.workspace.document import Document, Encoding, code_points, units

PIECES = ["a", "é", "𝒳", "\n", "\r\n", "\r", "\n\n", "\x0c", "\u2028", "\x85", "\t", "x = 1", "\ud800"]
ENCODINGS = ["utf-8", "utf-16", "utf-32"]


def reference_lines(text: str) -> list[str]:
    return re.split(r"\r\n|\n|\r", text)


def check(document: Document, text: str) -> None:
    lines = reference_lines(text)
    assert document.text == text
    assert document.line_count == len(lines)
    for number in {0, len(lines) // 2, len(lines) - 1, random.randrange(len(lines))}:
        assert document.line(number) == lines[number]
        assert document.log_line(number) == text.count("\n", 0, document.line_start(number))


@pytest.mark.parametrize("separator", ["\x0c", "\x85", "\u2028", "\x1c", "\x0b"])
def test_only_lsp_line_ends_end_lines(separator: str) -> None:
    document = Document(f"a{separator}b\nc")
    assert document.line_count == 2
    assert document.line(0) == f"a{separator}b"
    document.replace((0, 3), (0, 3), "!", "utf-16")
    assert document.text == f"a{separator}b!\nc"
    document.replace((1, 0), (1, 1), "d", "utf-16")
    assert document.line(1) == "d"


def test_positions_in_each_encoding() -> None:
    document = Document("x𝒳é|")
    assert [document.position(3, encoding) for encoding in ENCODINGS] == [(0, 7), (0, 4), (0, 3)]  # type: ignore[arg-type]
    assert document.offset(0, 4, "utf-16") == 3
    assert document.offset(0, 2, "utf-16") == 1, "inside a surrogate pair counts before it"
    assert document.offset(0, 99, "utf-16") == 4
    assert document.offset(9, 0, "utf-16") == 4


def test_an_inserted_lf_joins_a_cr() -> None:
    document = Document("a\rb")
    assert document.line_count == 2
    document.replace_offsets(2, 2, "\n")
    assert (document.line_count, document.line(0), document.line(1)) == (2, "a", "b")
    document.replace_offsets(2, 2, "z")
    assert [document.line(i) for i in range(document.line_count)] == ["a", "z", "b"]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=30), st.integers(1, 8))
def test_lines_found_in_pieces_are_those_of_the_whole(pieces: list[str], size: int) -> None:
    text = "".join(pieces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(document_module, "_PIECE_CHARACTERS", size)
        document = Document(text)
    assert [document.line(number) for number in range(document.line_count)] == reference_lines(text)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=30), st.lists(st.sampled_from(PIECES), max_size=4), st.data())
def test_a_prepared_edit_is_the_edit(pieces: list[str], inserted: list[str], data: st.DataObject) -> None:
    text, new = "".join(pieces), "".join(inserted)
    first = data.draw(st.integers(0, len(text)))
    last = data.draw(st.integers(first, len(text)))
    plain, prepared = Document(text), Document(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(document_module, "_JOINED_CHARACTERS", data.draw(st.integers(1, 8)))
        patch.setattr(document_module, "_MOVED_LINES", data.draw(st.integers(1, 3)))
        # An edit before it has left the starts behind some line to be moved.
        earlier = data.draw(st.integers(0, len(text)))
        for document in (plain, prepared):
            document.replace_offsets(earlier, earlier, "z\n")
        for _ in prepared.prepare(first, last, new):
            check(prepared, plain.text)
    assert prepared.replace_offsets(first, last, new) == plain.replace_offsets(first, last, new)
    check(prepared, plain.text)
    prepared.prepare_all(Document(new))
    assert prepared.replace_all(new) == plain.replace_all(new)
    check(prepared, new)


def test_what_was_prepared_for_another_edit_is_dropped() -> None:
    document = Document("one\ntwo\n")
    list(document.prepare(0, 3, "1"))
    document.replace_offsets(4, 7, "2")
    check(document, "one\n2\n")
    document.replace_offsets(0, 3, "1")
    check(document, "1\n2\n")
    document.prepare_all(Document("other\n"))
    document.replace_all("third")
    check(document, "third")


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=30), st.data())
def test_random_edits_equal_a_fresh_document(pieces: list[str], data: st.DataObject) -> None:
    text = "".join(pieces)
    document = Document(text)
    for _ in range(data.draw(st.integers(1, 8))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, len(text)))
        insert = "".join(data.draw(st.lists(st.sampled_from(PIECES), max_size=4)))
        document.replace_offsets(start, end, insert)
        text = text[:start] + insert + text[end:]
        check(document, text)
    for offset in range(len(text) + 1):
        line, column = document.position(offset, "utf-32")
        inside_line_end = text[offset - 1 : offset + 1] == "\r\n"
        if not inside_line_end and (line, column) <= (line, len(document.line(line))):
            assert document.offset(line, column, "utf-32") == offset


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_ten_thousand_edits_by_position(encoding: Encoding) -> None:
    rng = random.Random(7)
    text = "\n".join(f"line {i} é𝒳" for i in range(200))
    document = Document(text)
    for _ in range(10_000):
        line = rng.randrange(document.line_count)
        last = min(document.line_count - 1, line + rng.choice([0, 0, 0, 1, 3]))
        start, end = sorted([(line, rng.randrange(12)), (last, rng.randrange(12))])
        insert = rng.choice(["", "x", "é", "\n", "𝒳\r\n", "\r", "\t\x0c", "\u2028", "\x85𝒳"])
        lines = re.split(r"(\r\n|\n|\r)", text)

        def offset(position: tuple[int, int], lines: list[str] = lines) -> int:
            before = sum(len(part) for part in lines[: 2 * position[0]])
            return before + code_points(lines[2 * position[0]], position[1], encoding)

        low, high = sorted((offset(start), offset(end)))
        text = text[:low] + insert + text[high:]
        document.replace(start, end, insert, encoding)
        if len(text) > 20_000:
            text = text[:10_000]
            document.replace_all(text)
    check(document, text)
    assert [document.line(i) for i in range(document.line_count)] == reference_lines(text)


def test_units() -> None:
    assert units("a𝒳é", "utf-16") == 4
    assert units("a𝒳é", "utf-8") == 7
    assert units("a𝒳é", "utf-32") == 3


def test_lines_of_a_log_end_at_lf_only() -> None:
    text = "10%\r20%\rboom\nnext\n"
    document = Document(text)
    assert document.line_count == 5
    offset = document.log_offset(0, 8)
    assert document.position(offset, "utf-16") == (2, 0), "the third part of the log's first line"
    assert document.position(document.log_offset(1, 0), "utf-16") == (3, 0)
    assert [document.log_line(line) for line in range(5)] == [0, 0, 0, 1, 2]
    document.replace_all("a\r\nb\n")
    assert [document.log_line(line) for line in range(3)] == [0, 1, 2]
    assert document.position(document.log_offset(1, 0), "utf-16") == (1, 0)
