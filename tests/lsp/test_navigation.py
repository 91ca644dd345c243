"""What a log becomes in an editor: links, definitions, folds, an outline and a lens."""

from __future__ import annotations

from lsprotocol import types

from .harness import Client
from .matrix import MATRIX, feature
from .scene import MISMATCH, Scene

pytestmark = MATRIX
WHOLE = (Scene.BEGIN, Scene.DECISIVE)


async def open_log(client: Client, scene: Scene) -> str:
    uri = client.open(scene.log(scene.mismatch), language="log")
    await client.pushed(uri, 1)
    await client.pushed(scene.net.as_uri(), 1)
    return uri


@feature("textDocument/documentLink")
async def test_frames_are_links_to_the_code(client: Client, scene: Scene) -> None:
    uri = await open_log(client, scene)
    params = types.DocumentLinkParams(types.TextDocumentIdentifier(uri))
    links = await client.text_document_document_link_async(params)
    assert links, "a frame of the log names a file of the workspace"
    found = [(link.range.start.line, link.target) for link in links]
    assert found == [
        (scene.FRAME - 2, f"{scene.train.as_uri()}#L12"),
        (scene.FRAME, f"{scene.train.as_uri()}#L9"),
        (scene.DEEPEST, f"{scene.net.as_uri()}#L11"),
    ]
    line = scene.mismatch.splitlines()[scene.DEEPEST]
    where = links[-1].range
    assert line[where.start.character : where.end.character] == f"/home/user/project/{scene.net.name}"
    assert links[-1].tooltip == (f"{scene.net.name}, line 11" if client.profile.tooltips else None)


@feature("textDocument/definition")
async def test_definition_leads_from_a_frame_to_its_line_and_from_the_message_to_the_code(
    client: Client, scene: Scene
) -> None:
    uri = await open_log(client, scene)
    wanted = {
        scene.FRAME: (scene.train, 8),
        scene.DEEPEST: (scene.net, scene.RAISED),
        scene.DECISIVE: (scene.net, scene.RAISED),
    }
    for line, (path, target) in wanted.items():
        params = types.DefinitionParams(types.TextDocumentIdentifier(uri), types.Position(line, 12))
        found = await client.text_document_definition_async(params)
        assert isinstance(found, types.Location)
        assert (found.uri, found.range.start.line) == (path.as_uri(), target)
    params = types.DefinitionParams(types.TextDocumentIdentifier(uri), types.Position(0, 0))
    assert await client.text_document_definition_async(params) is None


@feature("textDocument/foldingRange")
async def test_a_traceback_can_be_folded(client: Client, scene: Scene) -> None:
    uri = await open_log(client, scene)
    params = types.FoldingRangeParams(types.TextDocumentIdentifier(uri))
    (fold,) = await client.text_document_folding_range_async(params) or ()
    assert (fold.start_line, fold.end_line) == WHOLE
    assert fold.kind == types.FoldingRangeKind.Region


@feature("textDocument/documentSymbol")
async def test_incidents_are_the_outline_of_a_log(client: Client, scene: Scene) -> None:
    uri = await open_log(client, scene)
    params = types.DocumentSymbolParams(types.TextDocumentIdentifier(uri))
    (symbol,) = await client.text_document_document_symbol_async(params) or ()
    assert symbol.name == "Matrix shapes do not fit"
    if client.profile.hierarchical:
        assert isinstance(symbol, types.DocumentSymbol)
        assert symbol.detail == MISMATCH
        assert (symbol.range.start.line, symbol.range.end.line) == WHOLE
        assert symbol.selection_range.start.line == scene.DECISIVE
    else:
        assert isinstance(symbol, types.SymbolInformation)
        assert symbol.location.uri == uri
        assert (symbol.location.range.start.line, symbol.location.range.end.line) == WHOLE


@feature("textDocument/codeLens")
async def test_a_lens_above_the_first_incident_opens_its_card(client: Client, scene: Scene) -> None:
    uri = client.open(scene.log(scene.mismatch + scene.limit), language="log")
    await client.pushed(uri, 2)
    await client.pushed(scene.net.as_uri(), 2)
    params = types.CodeLensParams(types.TextDocumentIdentifier(uri))
    (lens,) = await client.text_document_code_lens_async(params) or ()
    assert lens.range.start.line == scene.DECISIVE
    assert lens.command is not None, "it needs no resolving"
    assert lens.command.title == "Detour: Matrix shapes do not fit (2 incidents)"
    card = await client.command(lens.command.command, *(lens.command.arguments or ()))
    assert MISMATCH in card


@feature("textDocument/codeLens", "workspace/didChangeConfiguration")
async def test_the_lens_can_be_switched_off(client: Client, scene: Scene) -> None:
    uri = await open_log(client, scene)

    async def lenses() -> int:
        params = types.CodeLensParams(types.TextDocumentIdentifier(uri))
        return len(await client.text_document_code_lens_async(params) or ())

    assert await lenses() == 1
    client.use_settings({"codeLens": {"enable": False}})
    await client.until(lenses, lambda many: many == 0)


@feature("textDocument/documentLink", "textDocument/documentSymbol", "textDocument/foldingRange")
async def test_other_documents_have_none_of_these(client: Client, scene: Scene) -> None:
    uri = client.open(scene.train)
    document = types.TextDocumentIdentifier(uri)
    await client.findings(uri, 0)
    assert not await client.text_document_document_link_async(types.DocumentLinkParams(document))
    assert not await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    assert not await client.text_document_folding_range_async(types.FoldingRangeParams(document))
    assert not await client.text_document_code_lens_async(types.CodeLensParams(document))
