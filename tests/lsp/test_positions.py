"""Places in the text, counted as the client counts: in bytes, in UTF-16 units, or in characters."""

from __future__ import annotations

import pytest
from lsprotocol import types

from detour_lsp.lsp.greeting import answer, greeting_of

from .applying import applied, chosen, listed, usable
from .harness import Client
from .matrix import MATRIX, feature
from .scene import MISMATCH, Scene

pytestmark = MATRIX
#: Two bytes, then two units of UTF-16 and four bytes; a tab; then the dead end.
BEFORE = "x = 'é𝒳';\t"
SETTING = "torch._dynamo.config.recompile_limit = 0"
TEXT = f"import torch\n{BEFORE}{SETTING}  # 𝒳\n"
WIDTH = {"utf-8": 14, "utf-16": 11, "utf-32": 10}


def counted(client: Client, text: str) -> int:
    """How far a text is in the client's counting."""
    return {"utf-8": len(text.encode()), "utf-16": len(text.encode("utf-16-le")) // 2, "utf-32": len(text)}[
        client.profile.encoding
    ]


@feature("textDocument/didOpen", "textDocument/didChange", "textDocument/hover")
async def test_columns_behind_wide_characters_are_the_clients(client: Client, scene: Scene) -> None:
    encoding = client.profile.encoding
    assert client.answered is not None
    assert client.answered.capabilities.position_encoding == encoding
    width = WIDTH[encoding]
    assert width == counted(client, BEFORE)
    uri = client.open(scene.folder / "wide.py", TEXT)
    (finding,) = await client.findings(uri, 1)
    start, end = finding.range.start, finding.range.end
    assert (start.line, start.character, end.line, end.character) == (1, width, 1, width + len(SETTING))
    assert await client.hover(uri, 1, width + 2) is not None
    assert await client.hover(uri, 1, width - 3) is None
    # Edits count so as well: behind the characters, between them, and over one.
    client.change(uri, 2, ((1, width + len(SETTING) - 1, 1, width + len(SETTING)), "64"))
    await client.findings(uri, 0)
    client.change(uri, 3, ((1, width + len(SETTING) - 1, 1, width + len(SETTING) + 1), "0"))
    quote = counted(client, "x = 'é")
    client.change(uri, 4, ((1, quote, 1, quote + counted(client, "𝒳")), "ß"))
    (finding,) = await client.findings(uri, 1)
    assert finding.range.start.character == counted(client, BEFORE.replace("𝒳", "ß"))


@feature("textDocument/codeAction")
async def test_edits_are_made_where_they_are_meant(client: Client, scene: Scene) -> None:
    text = TEXT.replace("0  #", "0; y = 1  #")
    uri = client.open(scene.folder / "wide.py", text)
    await client.findings(uri, 1)
    offered = usable(await listed(client, uri, 1, WIDTH[client.profile.encoding] + 2))
    if client.profile.fixes == "none":
        assert offered == []
        return
    (change,) = await chosen(client, offered[0])
    after = applied(client, change)
    assert "recompile_limit" not in after
    assert "x = 'é𝒳'" in after
    assert "y = 1  # 𝒳\n" in after
    (comment,) = await chosen(client, offered[-1])
    assert applied(client, comment).startswith(text.rstrip("\n") + "  # detour: ignore[")


@feature("textDocument/documentLink")
async def test_places_in_a_log_with_wide_characters(client: Client, scene: Scene) -> None:
    lines = scene.mismatch.splitlines()
    text = "\n".join(f"é𝒳 | {line}" for line in lines) + "\n"
    before = counted(client, "é𝒳 | ")
    uri = client.open(scene.log(text), language="log")
    (incident,) = await client.pushed(uri, 1)
    await client.pushed(scene.net.as_uri(), 1)
    message = lines[scene.DECISIVE].index("mat1")
    assert (incident.range.start.line, incident.range.start.character) == (scene.DECISIVE, before + message)
    links = await client.text_document_document_link_async(types.DocumentLinkParams(types.TextDocumentIdentifier(uri)))
    assert links
    where = links[0].range
    path = f"/home/user/project/{scene.train.name}"
    begin = before + lines[where.start.line].index(path)
    assert (where.start.character, where.end.character) == (begin, begin + len(path))


@feature("textDocument/didOpen", "textDocument/didChange")
async def test_only_the_line_ends_of_lsp_end_a_line(client: Client, scene: Scene) -> None:
    """A form feed, U+0085 and U+2028 stand within a line; CRLF, CR and LF end one, mixed as they come."""
    text = f"import torch  # \x0c\u2028\x85\x1c\r\n{SETTING}\r# é𝒳\n"
    uri = client.open(scene.folder / "ends.py", text)
    (finding,) = await client.findings(uri, 1)
    assert finding.range.start.line == 1
    client.change(uri, 2, ((2, 5, 2, 5), "x"), ((1, len(SETTING) - 1, 1, len(SETTING)), "8"))
    await client.findings(uri, 0)
    client.change(uri, 3, ((1, len(SETTING) - 1, 1, len(SETTING)), "0"), ((0, 0, 0, 0), "\r\n\r"))
    (finding,) = await client.findings(uri, 1)
    assert finding.range.start.line == 3


@feature("textDocument/didOpen")
async def test_a_log_with_progress_bars_is_marked_where_the_editor_shows_it(client: Client, scene: Scene) -> None:
    bars = "".join(f"{number}%|###|\r" for number in range(5))
    uri = client.open(scene.log(""), f"start\n{bars}\n{scene.mismatch}", language="log")
    (incident,) = await client.pushed(uri, 1)
    await client.pushed(scene.net.as_uri(), 1)
    # Above stand "start" and five bars, of which the last one's CR and the LF are one line end.
    assert (incident.code, incident.range.start.line) == (MISMATCH, 6 + scene.DECISIVE)


@pytest.mark.parametrize(
    ("offered", "spoken"),
    [
        (None, "utf-16"),
        ([], "utf-16"),
        (["utf-16"], "utf-16"),
        (["utf-8", "utf-16"], "utf-8"),
        (["utf-32", "utf-8", "utf-16"], "utf-32"),
        (["ebcdic", "utf-8"], "utf-8"),
        (["ebcdic"], "utf-16"),
    ],
)
async def test_the_clients_first_choice_is_spoken(offered: list[str] | None, spoken: str) -> None:
    general = {} if offered is None else {"positionEncodings": offered}
    params = {"capabilities": {"general": general}}
    found = answer(greeting_of({"id": 1, "method": "initialize", "params": params}))
    assert found["capabilities"]["positionEncoding"] == spoken
