"""A large message read in slices is the same message."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detour_lsp.lsp import large_messages
from detour_lsp.lsp.large_messages import complete, decode, outline

TEXT = st.text(st.sampled_from('a\n"\\\t,}{:é𝒳\u2028\x00/n'), max_size=60)
ENDS = st.sampled_from([{}, {"version": 1}, {"languageId": "log", "version": 2}, {"other": "x\ny"}, {"text2": ""}])


async def decode_in_slices(body: bytes) -> Any:
    large = outline(body)
    return decode(body) if large is None else await complete(large)


@settings(max_examples=300)
@given(
    text=TEXT,
    behind=ENDS,
    before=st.booleans(),
    spaces=st.booleans(),
    ascii_only=st.booleans(),
    size=st.integers(1, 30),
)
def test_slices_give_what_reading_at_once_gives(
    text: str, behind: dict[str, Any], before: bool, spaces: bool, ascii_only: bool, size: int
) -> None:
    document: dict[str, Any] = {"uri": "file:///x.log", "text": text, **behind}
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": "m", "params": {"textDocument": document}}
    if before:
        message["params"] = {"contentChanges": [{"text": "", "rangeLength": 0}, {"text": text}], **message["params"]}
    separators = (", ", ": ") if spaces else (",", ":")
    body = json.dumps(message, ensure_ascii=ascii_only, separators=separators).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(large_messages, "SLICE_BYTES", size)
        found = asyncio.run(decode_in_slices(body))
    assert found == message


@pytest.mark.parametrize("order", [("uri", "version", "text"), ("text", "uri", "version"), ("version", "text", "uri")])
def test_an_outline_tells_all_but_the_text(order: tuple[str, ...]) -> None:
    document = {"uri": "file:///x.log", "version": 3, "text": 'a "quoted" line\n' * 1_000}
    shuffled = {key: document[key] for key in order}
    large = outline(json.dumps({"method": "m", "params": {"textDocument": shuffled}}).encode())
    assert large is not None
    assert large.message["params"]["textDocument"] == {**document, "text": ""}


def test_half_a_surrogate_pair_is_read_as_it_is() -> None:
    text = "good\n" * 10 + "half \ud83d of a pair\n" + "good 😀\n" * 10
    body = json.dumps({"params": {"textDocument": {"text": text}}}).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(large_messages, "SLICE_BYTES", 20)
        assert asyncio.run(decode_in_slices(body))["params"]["textDocument"]["text"] == text


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(ValueError, match="Unterminated string"):
        asyncio.run(decode_in_slices(b'{"text":"abc\\n'))


def test_a_large_text_leaves_the_loop_free_in_between() -> None:
    text = "".join(f'line {number} é \\ "quoted"\n' for number in range(400_000))
    body = json.dumps({"params": {"textDocument": {"text": text}}}).encode()
    steps = 0

    async def count() -> None:
        nonlocal steps
        while True:
            steps += 1
            await asyncio.sleep(0)

    async def read() -> Any:
        counter = asyncio.create_task(count())
        found = await decode_in_slices(body)
        counter.cancel()
        return found

    assert asyncio.run(read())["params"]["textDocument"]["text"] == text
    assert steps >= len(body) // large_messages.SLICE_BYTES
