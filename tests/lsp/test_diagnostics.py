"""Findings while one types and incidents on lines, as each client shows them."""

from __future__ import annotations

import asyncio
import json

from lsprotocol import types

from .conftest import SEEDS
from .harness import Client
from .matrix import MATRIX, feature
from .scene import BAD, LIMIT, MISMATCH, Scene

pytestmark = MATRIX


def documentation(record: str) -> str:
    return json.loads((SEEDS / record / "record.json").read_text())["official_doc_url"]


@feature("textDocument/didOpen", "textDocument/didChange", "textDocument/didClose")
async def test_findings_come_and_go_while_typing(client: Client, scene: Scene) -> None:
    uri = client.open(scene.folder / "bad.py", BAD)
    (finding,) = await client.findings(uri, 1)
    assert (finding.code, finding.range.start.line, finding.source) == (LIMIT, 2, "detour")
    assert finding.severity == types.DiagnosticSeverity.Warning
    client.change(uri, 2, ((2, 39, 2, 40), "64"))
    await client.findings(uri, 0)
    client.change(uri, 3, ((2, 39, 2, 41), "0"), ((0, 0, 0, 0), "# first\n"))
    (finding,) = await client.findings(uri, 1)
    assert finding.range.start.line == 3
    client.close(uri)
    await client.pushed(uri, 0)


@feature("textDocument/diagnostic")
async def test_findings_are_told_once_pulled_or_pushed(client: Client, scene: Scene) -> None:
    assert client.answered is not None
    uri = client.open(scene.folder / "bad.py", BAD)
    await client.findings(uri, 1)
    # Whoever asks is answered; who is told unasked is told for the text that he has.
    (pulled,) = await client.pulled(uri)
    told = [params for method, params in client.received if method == types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS]
    if client.profile.pulls:
        assert client.answered.capabilities.diagnostic_provider
        assert not [params for params in told if params.diagnostics], "it would be shown twice"
    else:
        assert told[-1].version == 1
        assert list(told[-1].diagnostics) == [pulled]
    params = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(uri))
    report = await client.text_document_diagnostic_async(params)
    params.previous_result_id = report.result_id
    again = await client.text_document_diagnostic_async(params)
    assert isinstance(again, types.RelatedUnchangedDocumentDiagnosticReport)
    client.change(uri, 2, ((2, 39, 2, 40), "64"))
    after = await client.text_document_diagnostic_async(params)
    assert isinstance(after, types.RelatedFullDocumentDiagnosticReport)
    assert not after.items


@feature("textDocument/didOpen")
async def test_a_finding_says_what_the_client_can_show(client: Client, scene: Scene) -> None:
    uri = client.open(scene.folder / "old.py", "import torch\n\nwith torch.cuda.amp.autocast():\n    pass\n")
    (finding,) = await client.findings(uri, 1)
    profile = client.profile
    assert finding.code == "pytorch/amp-deprecated-names"
    assert list(finding.tags or ()) == ([types.DiagnosticTag.Deprecated] if profile.tags else [])
    assert (finding.data is not None) == profile.data
    if profile.documented:
        assert finding.code_description is not None
        assert finding.code_description.href == documentation("pytorch/amp-deprecated-names")
    else:
        assert finding.code_description is None


@feature("detour/terminalData", "detour/terminalEnd")
async def test_an_incident_stands_on_the_line_that_raised_it(client: Client, scene: Scene) -> None:
    client.run_in_terminal(scene.mismatch, cwd=scene.folder)
    (incident,) = await client.pushed(scene.net.as_uri(), 1)
    assert (incident.code, incident.range.start.line) == (MISMATCH, scene.RAISED)
    assert incident.severity == types.DiagnosticSeverity.Error
    assert "Matrix shapes do not fit" in incident.message
    assert (incident.code_description is not None) == client.profile.documented
    assert incident.related_information is None, "a terminal is no place to go to"


@feature("textDocument/didOpen")
async def test_a_log_and_the_code_that_it_is_about_lead_to_each_other(client: Client, scene: Scene) -> None:
    log = client.open(scene.log(scene.mismatch), language="log")
    (in_log,) = await client.pushed(log, 1)
    (on_code,) = await client.pushed(scene.net.as_uri(), 1)
    assert (in_log.code, in_log.range.start.line) == (MISMATCH, scene.DECISIVE)
    assert (on_code.code, on_code.range.start.line) == (MISMATCH, scene.RAISED)
    if not client.profile.related:
        assert in_log.related_information is None
        assert on_code.related_information is None
        return
    ((to_code,), (to_log,)) = (in_log.related_information or (), on_code.related_information or ())
    assert (to_code.location.uri, to_code.location.range.start.line) == (scene.net.as_uri(), scene.RAISED)
    assert (to_log.location.uri, to_log.location.range.start.line) == (log, scene.DECISIVE)
    assert to_log.message == "RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x10 and 12x2)"


@feature("textDocument/didOpen")
async def test_the_mark_is_exact_as_soon_as_the_file_is_open(client: Client, scene: Scene) -> None:
    uri = scene.net.as_uri()
    client.run_in_terminal(scene.mismatch, cwd=scene.folder)
    await client.pushed(uri, 1)
    client.open(scene.net)
    line = scene.net.read_text().splitlines()[scene.RAISED]

    async def marked() -> list[tuple[int, int]]:
        found = client.diagnostics.get(uri, [])
        return [(item.range.start.character, item.range.end.character) for item in found]

    await client.until(marked, lambda found: found == [(8, len(line))])


@feature("textDocument/didClose")
async def test_a_file_that_is_closed_keeps_its_incidents_and_loses_its_findings(client: Client, scene: Scene) -> None:
    uri = client.open(scene.net, scene.net.read_text() + "\ntorch._dynamo.config.recompile_limit = 0\n")
    client.run_in_terminal(scene.mismatch, cwd=scene.folder)
    await client.findings(uri, 2)
    client.close(uri)
    (left,) = await client.pushed(uri, 1)
    assert left.code == MISMATCH


@feature("textDocument/didChange")
async def test_edits_count_also_when_all_have_the_same_version(client: Client, scene: Scene) -> None:
    # So large that it is checked on a thread, during which further edits come.
    uri = client.open(scene.folder / "same.py", BAD + "".join(f"x{n} = {n}\n" for n in range(10_000)), version=0)
    await client.findings(uri, 1)
    for _ in range(12):
        client.change(uri, 0, ((0, 0, 0, 0), "#\n"))
        await asyncio.sleep(0.01)
    client.change(uri, 0, ((14, 0, 15, 0), ""))
    await client.findings(uri, 0)


@feature("detour/terminalData")
async def test_findings_are_never_told_where_they_stood_before_an_edit(client: Client, scene: Scene) -> None:
    above = scene.net.read_text()
    at = above.count("\n") + 2
    client.use_settings({"check": {"debounce": 400}})
    uri = client.open(scene.net, above + BAD)
    await client.findings(uri, 1)
    client.received.clear()
    client.change(uri, 2, ((0, 0, 0, 0), "# one\n# two, of another length\n"))
    # It happens while the check still waits for a pause.
    client.run_in_terminal(scene.mismatch, cwd=scene.folder)
    await client.findings(uri, 2)
    told = [params for method, params in client.received if method == "textDocument/publishDiagnostics"]
    found = [item for params in told if params.uri == uri for item in params.diagnostics if item.code == LIMIT]
    assert {item.range.start.line for item in found} == (set() if client.profile.pulls else {at + 2})


@feature("workspace/didChangeConfiguration")
async def test_a_cap_says_how_many_are_hidden(client: Client, scene: Scene) -> None:
    client.use_settings({"maxProblemsPerFile": 3})
    uri = client.open(scene.folder / "bad.py", BAD * 7)
    found = await client.findings(uri, 4)
    assert found[-1].message == "4 more problems of this file are hidden (detour.maxProblemsPerFile)"
    assert found[-1].severity == types.DiagnosticSeverity.Information


@feature("textDocument/didOpen", "textDocument/didChange")
async def test_untitled_documents_are_checked(client: Client) -> None:
    uri = client.open("untitled:Untitled-1", BAD)
    (finding,) = await client.findings(uri, 1)
    assert finding.range.start.line == 2
    assert LIMIT in (await client.hover(uri, 2) or "")
    client.change(uri, 2, ((2, 39, 2, 40), "8"))
    await client.findings(uri, 0)


@feature("textDocument/didOpen", "textDocument/didChange")
async def test_an_untitled_log_is_read(client: Client, scene: Scene) -> None:
    """What somebody pastes into a new tab of a log."""
    uri = client.open("untitled:Untitled-2", "", language="log")
    client.change(uri, 2, ((0, 0, 0, 0), scene.mismatch))
    (incident,) = await client.pushed(uri, 1)
    assert incident.range.start.line == scene.DECISIVE
    await client.pushed(scene.net.as_uri(), 1)
    assert MISMATCH in (await client.hover(uri, scene.DEEPEST) or "")
