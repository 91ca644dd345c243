"""A large message read in slices is the same message."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detour_lsp.lsp import large_messages
from detour_lsp.lsp.large_messages import decode_in_slices

TEXT = st.text(st.sampled_from('a\n"\\\t,}{:é𝒳\u2028\x00/n'), max_size=60)
ENDS = st.sampled_from([{}, {"version": 1}, {"languageId": "log", "version": 2}, {"other": "x\ny"}, {"text2": ""}])


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


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(msgspec.DecodeError):
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
