"""Each feature over stdio with the real server process, in each client profile that has it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types

from .harness import SECONDS, Client

LIMIT = "pytorch/compile-recompilation-limit"
BAD = "import torch\n\ntorch._dynamo.config.recompile_limit = 0\nprint('é𝒳', torch.compile)\n"
EVERY = pytest.mark.parametrize("client", ["vscode", "push", "bare"], indirect=True)
ACTIONS = pytest.mark.parametrize("client", ["vscode", "push"], indirect=True)


def at(line: int, character: int = 3) -> types.Range:
    return types.Range(types.Position(line, character), types.Position(line, character))


def document(uri: str) -> types.TextDocumentIdentifier:
    return types.TextDocumentIdentifier(uri)


async def actions_at(client: Client, uri: str, where: types.Range, only: list[str] | None = None):
    context = types.CodeActionContext(diagnostics=[], only=only)  # type: ignore[arg-type]
    found = await client.text_document_code_action_async(types.CodeActionParams(document(uri), where, context))
    return [action for action in found or [] if isinstance(action, types.CodeAction)]


def applied(text: str, edits: list[types.TextEdit]) -> str:
    """A text after edits, as an ASCII-only editor applies them."""
    lines = text.splitlines(keepends=True)

    def offset(position: types.Position) -> int:
        return sum(len(line) for line in lines[: position.line]) + position.character

    for edit in sorted(edits, key=lambda e: offset(e.range.start), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


@EVERY
async def test_findings_come_and_go_while_typing(client: Client, workspace: Path) -> None:
    uri = client.open(workspace / "bad.py", BAD)
    (finding,) = await client.findings(uri, 1)
    assert (finding.code, finding.range.start.line, finding.source) == (LIMIT, 2, "detour")
    assert finding.severity == types.DiagnosticSeverity.Warning
    client.change(uri, 2, ((2, 39, 2, 40), "64"))
    await client.findings(uri, 0)
    client.change(uri, 3, ((2, 39, 2, 41), "0"), ((0, 0, 0, 0), "# first\n"))
    (finding,) = await client.findings(uri, 1)
    assert finding.range.start.line == 3


@EVERY
async def test_hover_shows_the_card(client: Client, workspace: Path) -> None:
    uri = client.open(workspace / "bad.py", BAD)
    await client.findings(uri, 1)
    hover = await client.text_document_hover_async(types.HoverParams(document(uri), types.Position(2, 10)))
    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    text = hover.contents.value
    assert LIMIT in text
    assert "compiles nothing" in text, "the dead end's corrected fact stands on the card"
    assert "infinite recompilation" not in text, "what runs refuted is not shown as true"
    assert (hover.contents.kind == types.MarkupKind.Markdown) == (client.profile != "bare")
    nothing = await client.text_document_hover_async(types.HoverParams(document(uri), types.Position(1, 0)))
    assert nothing is None


@ACTIONS
async def test_quick_fix_takes_the_dead_end_out_and_ignore_comes_last(client: Client, workspace: Path) -> None:
    uri = client.open(workspace / "bad.py", BAD)
    await client.findings(uri, 1)
    actions = await actions_at(client, uri, at(2))
    offered = [action for action in actions if action.disabled is None]
    assert "ignore" in offered[-1].title
    first = offered[0]
    if client.profile == "vscode":
        assert first.edit is None, "edits are worked out when the person picks one"
        first = await client.code_action_resolve_async(first)
        assert first.edit
        assert first.edit.document_changes
        (change,) = first.edit.document_changes
        assert isinstance(change, types.TextDocumentEdit)
        assert change.text_document.version == 1
        edits = [edit for edit in change.edits if isinstance(edit, types.TextEdit)]
    else:
        assert first.edit
        assert first.edit.changes
        edits = list(first.edit.changes[uri])
    assert "recompile_limit" not in applied(BAD, edits)
    ignored = offered[-1].edit
    assert ignored is not None
    comments = ignored.changes[uri] if ignored.changes else ignored.document_changes[0].edits  # type: ignore[index,union-attr]
    assert comments[0].new_text == f"  # detour: ignore[{LIMIT}]"


@EVERY
async def test_an_incident_lands_on_the_line_that_raised_it(client: Client, workspace: Path) -> None:
    log = (workspace / "train.log").read_text()
    program = (workspace / "repro_dynamic_false.py").read_text().splitlines()
    line = next(number for number, text in enumerate(program) if "@torch.compile" in text)
    client.run_in_terminal(log, cwd=workspace)
    uri = (workspace / "repro_dynamic_false.py").as_uri()
    (incident,) = await client.pushed(uri, 1)
    assert incident.code == LIMIT
    assert incident.range.start.line == line


@EVERY
async def test_the_mark_is_exact_as_soon_as_the_file_is_open(client: Client, workspace: Path) -> None:
    program = workspace / "repro_dynamic_false.py"
    uri = program.as_uri()
    client.run_in_terminal((workspace / "train.log").read_text(), cwd=workspace)
    (incident,) = await client.pushed(uri, 1)
    line = program.read_text().splitlines()[incident.range.start.line]
    client.open(program)

    async def ends() -> list[int]:
        return [one.range.end.character for one in client.diagnostics.get(uri, [])]

    await client.until(ends, lambda found: found == [len(line)])


@EVERY
async def test_a_log_document_is_marked_on_its_decisive_line(client: Client, workspace: Path) -> None:
    uri = client.open(workspace / "train.log", language="log")
    (incident,) = await client.pushed(uri, 1)
    assert (incident.code, incident.range.start.line) == (LIMIT, 0)
    if client.profile == "vscode":
        assert incident.related_information
        assert incident.related_information[0].location.uri == (workspace / "repro_dynamic_false.py").as_uri()
    (on_code,) = await client.pushed((workspace / "repro_dynamic_false.py").as_uri(), 1)
    if client.profile == "vscode":
        assert on_code.related_information
        assert on_code.related_information[0].location.uri == uri
    hover = await client.text_document_hover_async(types.HoverParams(document(uri), types.Position(0, 90)))
    assert hover is not None
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document(uri)))
    assert symbols
    assert len(symbols) == 1
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(document(uri)))
    assert lenses
    assert lenses[0].command
    assert lenses[0].command.title.startswith("Detour: ")
    folds = await client.text_document_folding_range_async(types.FoldingRangeParams(document(uri)))
    assert folds
    assert folds[0].end_line > folds[0].start_line


async def test_links_and_definition_lead_from_a_frame_to_the_code(client: Client, workspace: Path) -> None:
    uri = client.open(workspace / "train.log", language="log")
    await client.pushed(uri, 1)
    links = await client.text_document_document_link_async(types.DocumentLinkParams(document(uri)))
    assert links, "a frame of the log names a file of the workspace"
    target = links[0].target
    assert target
    assert target.startswith((workspace / "repro_dynamic_false.py").as_uri())
    where = types.DefinitionParams(document(uri), links[0].range.start)
    definition = await client.text_document_definition_async(where)
    assert isinstance(definition, types.Location)
    assert definition.uri == (workspace / "repro_dynamic_false.py").as_uri()


@ACTIONS
async def test_a_fix_offered_at_the_log_edits_the_program(client: Client, workspace: Path) -> None:
    uri = client.open(workspace / "train.log", language="log")
    await client.pushed(uri, 1)
    actions = [action for action in await actions_at(client, uri, at(0)) if action.disabled is None]
    assert actions
    first = await client.code_action_resolve_async(actions[0]) if client.profile == "vscode" else actions[0]
    assert first.edit is not None
    changes = first.edit.changes or {
        change.text_document.uri: change.edits  # type: ignore[union-attr]
        for change in first.edit.document_changes or ()
    }
    ((target, edits),) = changes.items()
    assert target == (workspace / "repro_dynamic_false.py").as_uri()
    text = applied((workspace / "repro_dynamic_false.py").read_text(), edits)  # type: ignore[arg-type]
    assert "dynamic=False)" not in text


async def test_a_second_run_of_the_command_clears_the_first(client: Client, workspace: Path) -> None:
    log = (workspace / "train.log").read_text()
    uri = (workspace / "repro_dynamic_false.py").as_uri()
    client.run_in_terminal(log, cwd=workspace, run="1")
    await client.pushed(uri, 1)
    client.run_in_terminal("all well\n", cwd=workspace, run="2")
    await client.pushed(uri, 0)
    client.run_in_terminal(log, cwd=workspace, run="3", command="python train.py --lr 3")
    client.run_in_terminal(log, cwd=workspace, run="4", command="python train.py --lr 4")
    (incident,) = await client.pushed(uri, 1)
    assert incident.code == LIMIT


async def test_an_incident_moves_with_its_line_and_ends_when_it_is_edited_away(client: Client, workspace: Path) -> None:
    program = workspace / "repro_dynamic_false.py"
    uri = client.open(program)
    client.run_in_terminal((workspace / "train.log").read_text(), cwd=workspace)
    (incident,) = await client.pushed(uri, 1)
    line = incident.range.start.line
    client.change(uri, 2, ((0, 0, 0, 0), "# one\n# two\n"))

    async def lines() -> list[int]:
        await client.findings(uri)
        client.run_in_terminal("", cwd=workspace, run="other", command="ls")
        return [item.range.start.line for item in client.diagnostics[uri]]

    await client.until(lines, lambda found: found == [line + 2])
    client.change(uri, 3, ((line + 2, 0, line + 2, 200), "    pass"))
    await client.until(lines, lambda found: found == [])


async def test_commands_clear_and_explain(client: Client, workspace: Path) -> None:
    uri = (workspace / "repro_dynamic_false.py").as_uri()
    client.run_in_terminal((workspace / "train.log").read_text(), cwd=workspace)
    await client.pushed(uri, 1)
    card = await client.workspace_execute_command_async(
        types.ExecuteCommandParams("detour.showCard", [{"record": LIMIT}])
    )
    assert isinstance(card, str)
    assert LIMIT in card
    await client.workspace_execute_command_async(types.ExecuteCommandParams("detour.clear", []))
    await client.pushed(uri, 0)


@pytest.mark.parametrize("locale", ["zh-cn"])
async def test_cards_speak_the_editors_language(client: Client, workspace: Path) -> None:
    uri = client.open(workspace / "bad.py", BAD)
    await client.findings(uri, 1)
    hover = await client.text_document_hover_async(types.HoverParams(document(uri), types.Position(2, 10)))
    assert hover is not None
    assert "行不通的做法" in hover.contents.value  # type: ignore[union-attr]


@pytest.mark.parametrize("options", [{"clientCommands": True}])
async def test_the_list_of_incidents_is_told_to_clients_that_ask(client: Client, workspace: Path) -> None:
    client.expected |= {"detour/incidents", "detour/status"}
    client.run_in_terminal((workspace / "train.log").read_text(), cwd=workspace)

    async def told() -> list[dict[str, object]]:
        lists = [params.incidents for method, params in client.received if method == "detour/incidents"]
        return lists[-1] if lists else []

    (incident,) = await client.until(told, bool)
    key = incident.key
    assert incident.record == LIMIT
    assert incident.source.kind == "terminal"
    text = await client.ask("detour/incidentText", {"key": key, "form": "prompt"})
    assert "## My code" in text.text
    matches = await client.ask("detour/matchLines", {"lines": ["fine", "torch._dynamo hit config.recompile_limit (8)"]})
    assert [match.line for match in matches.matches] == [1]


async def test_logs_that_grow_are_followed(client: Client, workspace: Path) -> None:
    path = workspace / "big.log"
    path.write_text("epoch 1\n")
    answer = await client.ask("detour/watchLog", {"path": str(path)})
    assert answer.watching is True
    with path.open("a") as log:
        log.write((workspace / "train.log").read_text())
    (incident,) = await client.pushed((workspace / "repro_dynamic_false.py").as_uri(), 1)
    assert incident.code == LIMIT
    path.write_text("epoch 1\n")
    await client.pushed((workspace / "repro_dynamic_false.py").as_uri(), 0)


async def test_settings_change_without_restart(client: Client, workspace: Path) -> None:
    uri = client.open(workspace / "bad.py", BAD)
    await client.findings(uri, 1)
    client.set_configuration({"detour": {"check": {"enable": False}}})
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
    await client.findings(uri, 0)
    client.set_configuration({"detour": {"check": {"enable": "perhaps"}}})
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
    await client.findings(uri, 1)
    assert any("detour.check.enable" in message.message for message in client.log_messages)


@pytest.mark.parametrize("client", ["push"], indirect=True)
async def test_untitled_documents_and_odd_line_ends(client: Client) -> None:
    text = "import torch  # \x0c\u2028\r\ntorch._dynamo.config.recompile_limit = 0\r# é𝒳\n"
    uri = "untitled:Untitled-1"
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "python", 1, text)))
    (finding,) = await client.findings(uri, 1)
    assert finding.range.start.line == 1
    client.change(uri, 2, ((2, 5, 2, 5), "x"), ((1, 39, 1, 40), "8"))
    await client.findings(uri, 0)


async def test_notebook_cells_are_checked_and_their_errors_land_on_the_cell(client: Client, workspace: Path) -> None:
    notebook = f"{(workspace / 'a.ipynb').as_uri()}"
    cells = [f"vscode-notebook-cell:{notebook.removeprefix('file:')}#c{number}" for number in (1, 2)]
    texts = ["import torch\n", "torch._dynamo.config.recompile_limit = 0\nx = 1\n"]
    client.notebook_document_did_open(
        types.DidOpenNotebookDocumentParams(
            notebook_document=types.NotebookDocument(
                notebook,
                "jupyter-notebook",
                1,
                [types.NotebookCell(types.NotebookCellKind.Code, cell) for cell in cells],
            ),
            cell_text_documents=[
                types.TextDocumentItem(cell, "python", 1, text) for cell, text in zip(cells, texts, strict=True)
            ],
        )
    )
    (finding,) = await client.findings(cells[1], 1)
    assert finding.range.start.line == 0
    error = (
        "---------------------------------------------------------------------------\n"
        "OutOfMemoryError                          Traceback (most recent call last)\n"
        "Cell In[2], line 2\n"
        "      1 torch._dynamo.config.recompile_limit = 0\n"
        "----> 2 x = 1\n\n"
        "OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 8.00 GiB"
        " of which 1.00 GiB is free.\n"
    )
    client.notify(
        "detour/notebookOutput",
        {
            "notebookUri": notebook,
            "cellUri": cells[1],
            "executionId": "2",
            "outputs": [{"mime": "application/vnd.code.notebook.error", "text": error}],
        },
    )
    (incident,) = await client.pushed(cells[1], 1)
    assert (incident.code, incident.range.start.line) == ("cuda/out-of-memory", 1)


async def test_hostile_parameters_of_our_own_messages_change_nothing(client: Client, workspace: Path) -> None:
    for params in (
        {},
        {"terminalId": 7, "data": ["x"]},
        {"terminalId": "t", "executionId": None, "data": "\ud800\x00"},
    ):
        client.notify("detour/terminalData", params)
        client.notify("detour/terminalEnd", params)
    client.notify("detour/notebookOutput", {"outputs": [1, None, {}]})
    assert (await client.ask("detour/card", {"record": "../../etc/passwd"})).markdown is None
    assert (await client.ask("detour/incidentText", {"key": 3})).text is None
    assert (await client.ask("detour/matchLines", {"lines": "no list"})).matches == []
    assert (await client.ask("detour/watchLog", {"path": "relative.log"})).watching is False
    uri = client.open(workspace / "bad.py", BAD)
    await client.findings(uri, 1)


@pytest.mark.parametrize("client", ["push"], indirect=True)
async def test_a_cap_says_how_many_are_hidden(client: Client, workspace: Path) -> None:
    client.workspace_did_change_configuration(
        types.DidChangeConfigurationParams(settings={"detour": {"maxProblemsPerFile": 3}})
    )
    uri = client.open(
        workspace / "bad.py", "import torch\n" + "torch._dynamo.config.suppress_errors = True\n" * 0 + BAD * 7
    )
    found = await client.findings(uri, 4)
    assert "more problems" in found[-1].message


async def test_the_event_loop_answers_while_a_large_log_is_read(client: Client, workspace: Path) -> None:
    uri = client.open(workspace / "bad.py", BAD)
    await client.findings(uri, 1)
    line = "step 1234 loss 0.123 {'lr': 0.001} some more text that training logs have in them\n"
    log = client.open(workspace / "huge.log", line * 250_000 + (workspace / "train.log").read_text(), language="log")
    worst = 0.0
    loop = asyncio.get_running_loop()
    deadline = loop.time() + SECONDS
    while loop.time() < deadline and not client.diagnostics.get(log):
        start = loop.time()
        await client.text_document_hover_async(types.HoverParams(document(uri), types.Position(2, 10)))
        worst = max(worst, loop.time() - start)
        await asyncio.sleep(0.01)
    assert client.diagnostics.get(log), "the log was read"
    # Generous, because other processes share the machine; bench/lsp.py measures.
    assert worst < 3.0


@pytest.mark.parametrize("client", ["push"], indirect=True)
async def test_a_log_with_progress_bars_is_marked_where_the_editor_shows_it(client: Client, workspace: Path) -> None:
    bars = "".join(f"{number}%|###|\r" for number in range(5))
    text = f"start\n{bars}\n{(workspace / 'train.log').read_text()}"
    uri = client.open(workspace / "bars.log", text, language="log")
    (incident,) = await client.pushed(uri, 1)
    # Above stand "start" and five bars, of which the last one's CR and the LF are one line end.
    assert incident.range.start.line == 6


async def test_hover_has_its_card_while_changed_settings_are_taken_in(client: Client, workspace: Path) -> None:
    uri = client.open(workspace / "bad.py", BAD)
    await client.findings(uri, 1)
    for most in range(10, 30):
        client.set_configuration({"detour": {"maxProblemsPerFile": most}})
        client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
        for _ in range(5):
            hover = await client.text_document_hover_async(types.HoverParams(document(uri), types.Position(2, 10)))
            assert hover is not None
