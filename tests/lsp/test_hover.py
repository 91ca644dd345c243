"""Cards on hover: as Markdown, or as text where a client renders none."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from lsprotocol import types

from .harness import Client
from .matrix import EVERY_PROFILE, MATRIX, feature
from .profiles import PROFILES
from .scene import BAD, LIMIT, MISMATCH, Scene

pytestmark = MATRIX
#: What of Markdown would stand in the way of somebody who reads it as text.
MARKS = re.compile(r"\*\*|^#|```|\]\(http|\\_|~~", re.MULTILINE)


def check_kind(client: Client, card: str) -> None:
    if client.profile.hover == "markdown":
        assert f"`{LIMIT}`" in card
        assert "**Dead ends**" in card
        assert "```python" in card
    else:
        assert "\nDead ends\n" in card
        assert not MARKS.search(card), MARKS.search(card)


@feature("textDocument/hover")
async def test_hover_on_a_finding_shows_its_card(client: Client, scene: Scene) -> None:
    uri = client.open(scene.folder / "bad.py", BAD)
    await client.findings(uri, 1)
    card = await client.hover(uri, 2, 10)
    assert card is not None
    assert LIMIT in card
    assert "compiles nothing" in card, "the dead end's corrected fact stands on the card"
    assert "infinite recompilation" not in card, "what runs refuted is not shown as true"
    check_kind(client, card)
    assert await client.hover(uri, 1, 0) is None


@feature("textDocument/hover")
async def test_hover_on_the_line_that_raised_shows_the_card_of_the_incident(client: Client, scene: Scene) -> None:
    uri = client.open(scene.net)
    client.run_in_terminal(scene.mismatch, cwd=scene.folder)
    await client.pushed(uri, 1)
    card = await client.hover(uri, scene.RAISED, 12)
    assert card is not None
    assert MISMATCH in card
    assert await client.hover(uri, scene.RAISED - 1, 12) is None


@feature("textDocument/hover")
async def test_hover_anywhere_in_a_traceback_shows_the_card(client: Client, scene: Scene) -> None:
    uri = client.open(scene.log(scene.mismatch), language="log")
    await client.pushed(uri, 1)
    await client.pushed(scene.net.as_uri(), 1)
    for line in range(scene.BEGIN, scene.DECISIVE + 1):
        assert MISMATCH in (await client.hover(uri, line) or ""), line
    assert await client.hover(uri, scene.BEGIN - 1) is None


@feature("textDocument/hover")
async def test_hover_on_a_frame_shows_the_source_of_its_line(client: Client, scene: Scene) -> None:
    uri = client.open(scene.log(scene.mismatch), language="log")
    await client.pushed(uri, 1)
    await client.pushed(scene.net.as_uri(), 1)
    for frame, path, number, source in (
        (scene.FRAME, scene.train, 9, "    return net(torch.randn(4, 10))"),
        (scene.DEEPEST, scene.net, 11, "        return self.head(x)"),
    ):
        for line in (frame, frame + 1):
            text = await client.hover(uri, line) or ""
            assert f"> {number:>4}  {source}\n" in text
            assert text.startswith(f"`{path.name}:{number}`" if client.profile.hover == "markdown" else path.name)
    library = await client.hover(uri, scene.FRAME + 2) or ""
    assert "> 1775" not in library, "what is not in the workspace is not shown"


@feature("textDocument/hover")
async def test_a_frame_shows_the_text_that_is_open_not_the_file(client: Client, scene: Scene) -> None:
    client.open(scene.net, scene.net.read_text().replace("return self.head(x)", "return self.head(x)  # **mine**"))
    uri = client.open(scene.log(scene.mismatch), language="log")
    await client.pushed(uri, 1)
    await client.pushed(scene.net.as_uri(), 1)
    assert "# **mine**" in (await client.hover(uri, scene.DEEPEST) or "")


@feature("textDocument/hover")
@EVERY_PROFILE
async def test_cards_speak_the_editors_language(
    own_session: Callable[..., AbstractAsyncContextManager[Client]], workspace: Path, profile: str
) -> None:
    async with own_session(profile, locale="zh-cn") as client:
        uri = client.open(workspace / "bad.py", BAD)
        (finding,) = await client.findings(uri, 1)
        # The action, and the first sentence of why it fails.
        assert re.fullmatch(r"[^。]*[\u4e00-\u9fff][^。]*：[^。]*。", finding.message), finding.message
        assert "行不通的做法" in (await client.hover(uri, 2, 10) or "")
        if PROFILES[profile].fixes != "none":
            place = types.Range(types.Position(2, 3), types.Position(2, 3))
            context = types.CodeActionContext(diagnostics=[])
            params = types.CodeActionParams(types.TextDocumentIdentifier(uri), place, context)
            actions = await client.text_document_code_action_async(params)
            assert actions
            assert "忽略此处" in actions[-1].title


@feature("textDocument/hover", "workspace/didChangeConfiguration")
async def test_the_setting_of_the_language_goes_before_the_editors(client: Client, scene: Scene) -> None:
    uri = client.open(scene.folder / "bad.py", BAD)
    await client.findings(uri, 1)
    client.use_settings({"language": "zh"})

    async def card() -> str:
        return await client.hover(uri, 2, 10) or ""

    await client.until(card, lambda text: "行不通的做法" in text)


@feature("textDocument/hover", "workspace/didChangeConfiguration")
async def test_hover_has_its_card_while_changed_settings_are_taken_in(client: Client, scene: Scene) -> None:
    uri = client.open(scene.folder / "bad.py", BAD)
    await client.findings(uri, 1)
    for most in range(10, 16):
        client.use_settings({"maxProblemsPerFile": most})
        for _ in range(4):
            assert await client.hover(uri, 2, 10) is not None
