"""Notebooks: as notebooks where the client has them, else as the documents of their cells."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from lsprotocol import types

from .applying import applied, chosen, listed, usable
from .harness import Client
from .matrix import MATRIX, feature
from .scene import LIMIT

pytestmark = MATRIX
TEXTS = ("import torch\n", "torch._dynamo.config.recompile_limit = 0\nx = 1\n")
ERROR = """\
---------------------------------------------------------------------------
OutOfMemoryError                          Traceback (most recent call last)
Cell In[2], line 2
      1 torch._dynamo.config.recompile_limit = 0
----> 2 x = 1

OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 8.00 GiB of which \
1.00 GiB is free.
"""


class Notebook:
    """A notebook of two cells in a client."""

    def __init__(self, client: Client, path: Path, texts: tuple[str, str] = TEXTS) -> None:
        self.client = client
        self.texts = texts
        self.uri = path.as_uri()
        self.cells = [f"vscode-notebook-cell:{self.uri.removeprefix('file:')}#c{number}" for number in (1, 2)]
        client.known |= set(self.cells)

    def open(self) -> None:
        if not self.client.profile.notebooks:
            for cell, text in zip(self.cells, self.texts, strict=True):
                self.client.open(cell, text)
            return
        cells = [types.NotebookCell(types.NotebookCellKind.Code, cell) for cell in self.cells]
        texts = [types.TextDocumentItem(c, "python", 1, text) for c, text in zip(self.cells, self.texts, strict=True)]
        notebook = types.NotebookDocument(self.uri, "jupyter-notebook", 1, cells)
        self.client.notebook_document_did_open(types.DidOpenNotebookDocumentParams(notebook, texts))

    def close(self) -> None:
        if not self.client.profile.notebooks:
            for cell in self.cells:
                self.client.close(cell)
            return
        cells = [types.TextDocumentIdentifier(cell) for cell in self.cells]
        params = types.DidCloseNotebookDocumentParams(types.NotebookDocumentIdentifier(self.uri), cells)
        self.client.notebook_document_did_close(params)

    def change(self, cell: str, version: int, where: tuple[int, int, int, int], text: str) -> None:
        if not self.client.profile.notebooks:
            self.client.change(cell, version, (where, text))
            return
        line, start, end_line, end = where
        area = types.Range(types.Position(line, start), types.Position(end_line, end))
        content = types.NotebookDocumentCellContentChanges(
            types.VersionedTextDocumentIdentifier(version, cell), [types.TextDocumentContentChangePartial(area, text)]
        )
        change = types.NotebookDocumentChangeEvent(cells=types.NotebookDocumentCellChanges(text_content=[content]))
        notebook = types.VersionedNotebookDocumentIdentifier(version, self.uri)
        self.client.notebook_document_did_change(types.DidChangeNotebookDocumentParams(notebook, change))

    def add(self, text: str) -> str:
        """A further cell below the others."""
        cell = self.cells[0].replace("#c1", f"#c{len(self.cells) + 1}")
        self.cells.append(cell)
        self.client.known.add(cell)
        if not self.client.profile.notebooks:
            return self.client.open(cell, text)
        added = [types.NotebookCell(types.NotebookCellKind.Code, cell)]
        array = types.NotebookCellArrayChange(start=len(self.cells) - 1, delete_count=0, cells=added)
        opened = [types.TextDocumentItem(cell, "python", 1, text)]
        self._restructure(types.NotebookDocumentCellChangeStructure(array, did_open=opened))
        return cell

    def remove(self) -> None:
        """Take the last cell away."""
        cell = self.cells.pop()
        if not self.client.profile.notebooks:
            self.client.close(cell)
            return
        array = types.NotebookCellArrayChange(start=len(self.cells), delete_count=1)
        closed = [types.TextDocumentIdentifier(cell)]
        self._restructure(types.NotebookDocumentCellChangeStructure(array, did_close=closed))

    def move(self, places: list[int]) -> None:
        """Put the cells in another order: clients say that all were taken out and put in again."""
        self.cells = [self.cells[place] for place in places]
        moved = [types.NotebookCell(types.NotebookCellKind.Code, cell) for cell in self.cells]
        array = types.NotebookCellArrayChange(start=0, delete_count=len(moved), cells=moved)
        self._restructure(types.NotebookDocumentCellChangeStructure(array))

    def _restructure(self, structure: types.NotebookDocumentCellChangeStructure) -> None:
        change = types.NotebookDocumentChangeEvent(cells=types.NotebookDocumentCellChanges(structure=structure))
        notebook = types.VersionedNotebookDocumentIdentifier(2, self.uri)
        self.client.notebook_document_did_change(types.DidChangeNotebookDocumentParams(notebook, change))

    def print(self, cell: str, run: str, text: str) -> None:
        outputs = [{"mime": "application/vnd.code.notebook.error", "text": text}] if text else []
        ids = {"notebookUri": self.uri, "cellUri": cell, "executionId": run}
        self.client.notify("detour/notebookOutput", {**ids, "outputs": outputs})


@feature("notebookDocument/didOpen")
async def test_notebooks_are_announced_to_clients_that_have_them(client: Client, folder: Path) -> None:
    assert client.answered is not None
    assert (client.answered.capabilities.notebook_document_sync is not None) == client.profile.notebooks
    notebook = Notebook(client, folder / "a.ipynb")
    notebook.open()
    await client.findings(notebook.cells[0], 0)
    await client.findings(notebook.cells[1], 1)
    notebook.close()


@feature("notebookDocument/didOpen", "notebookDocument/didChange", "notebookDocument/didClose")
async def test_cells_are_checked_as_they_are_edited(client: Client, folder: Path) -> None:
    notebook = Notebook(client, folder / "a.ipynb")
    notebook.open()
    second = notebook.cells[1]
    (finding,) = await client.findings(second, 1)
    assert (finding.code, finding.range.start.line) == (LIMIT, 0)
    assert LIMIT in (await client.hover(second, 0, 10) or "")
    notebook.change(second, 2, (0, 39, 0, 40), "64")
    await client.findings(second, 0)
    notebook.change(second, 3, (0, 39, 0, 41), "0")
    await client.findings(second, 1)
    notebook.close()
    await client.pushed(second, 0)


@feature("notebookDocument/didChange")
async def test_cells_come_and_go(client: Client, folder: Path) -> None:
    notebook = Notebook(client, folder / "a.ipynb")
    notebook.open()
    await client.findings(notebook.cells[1], 1)
    third = notebook.add("torch._dynamo.config.suppress_errors = True\n")
    (finding,) = await client.findings(third, 1)
    assert finding.code == "pytorch/compile-errors-suppressed"
    notebook.remove()
    await client.pushed(third, 0)
    await client.findings(notebook.cells[1], 1)
    notebook.close()


@feature("notebookDocument/didOpen", "notebookDocument/didChange", "textDocument/codeAction")
async def test_the_cells_of_a_notebook_share_their_names(client: Client, folder: Path) -> None:
    """As `detour check` has it; cells that come as plain documents know nothing of each other."""
    texts = ("import torch as th\n", "x = 1\nth._dynamo.config.recompile_limit = 0")
    notebook = Notebook(client, folder / "a.ipynb", texts)
    notebook.open()
    first, second = notebook.cells
    if not client.profile.notebooks:
        await client.findings(second, 0)
        assert await listed(client, second, 1) == []
        notebook.close()
        return
    (finding,) = await client.findings(second, 1)
    where = finding.range
    assert (where.start.line, where.start.character, where.end.line, where.end.character) == (1, 0, 1, 37)
    assert LIMIT in (await client.hover(second, 1, 10) or "")
    assert await client.hover(first, 0, 10) is None
    offered = usable(await listed(client, second, 1))
    (change,) = await chosen(client, offered[0])
    assert (change.uri, applied(client, change, texts[1])) == (second, "x = 1\n")
    (comment,) = await chosen(client, offered[-1])
    assert applied(client, comment, texts[1]) == f"{texts[1]}  # detour: ignore[{LIMIT}]"
    # An edit of one cell changes what is found in another: the client is told to ask again.
    client.received.clear()
    notebook.change(first, 2, (0, 16, 0, 18), "tt")
    await client.findings(second, 0)
    assert types.WORKSPACE_DIAGNOSTIC_REFRESH in [method for method, _ in client.received]
    notebook.change(first, 3, (0, 16, 0, 18), "th")
    await client.findings(second, 1)
    notebook.close()
    await client.pushed(second, 0)


@feature("textDocument/codeAction")
async def test_a_repair_reaches_the_cells_that_use_the_name(client: Client, folder: Path) -> None:
    texts = ("import torch\nfrom torch.cuda.amp import autocast\n", "with autocast():\n    pass\n")
    notebook = Notebook(client, folder / "a.ipynb", texts)
    notebook.open()
    first, second = notebook.cells
    await client.findings(first, 1)
    await client.findings(second, 1 if client.profile.notebooks else 0)
    offered = usable(await listed(client, first, 1, 32))
    if client.profile.notebooks:
        changes = {change.uri: change for change in await chosen(client, offered[0])}
        assert applied(client, changes[first], texts[0]) == "import torch\n"
        assert applied(client, changes[second], texts[1]).startswith('with torch.amp.autocast("cuda"')
    else:
        assert all("ignore" in item.title for item in offered), "where the name is used is not known"
    notebook.close()


@feature("textDocument/codeAction")
async def test_a_repair_edits_the_cell(client: Client, folder: Path) -> None:
    notebook = Notebook(client, folder / "a.ipynb")
    notebook.open()
    second = notebook.cells[1]
    await client.findings(second, 1)
    offered = usable(await listed(client, second, 0))
    if client.profile.fixes != "none":
        (change,) = await chosen(client, offered[0])
        assert change.uri == second
        assert applied(client, change, TEXTS[1]) == "x = 1\n"
    else:
        assert offered == []
    notebook.close()


@feature("detour/notebookOutput")
async def test_an_error_lands_on_the_line_of_its_cell_until_that_runs_again(client: Client, folder: Path) -> None:
    notebook = Notebook(client, folder / "a.ipynb")
    notebook.open()
    second = notebook.cells[1]
    await client.findings(second, 1)
    notebook.print(second, "2", ERROR)
    found = await client.findings(second, 2)
    incident = next(item for item in found if item.code == "cuda/out-of-memory")
    assert incident.range.start.line == 1
    assert "cuda/out-of-memory" in (await client.hover(second, 1, 2) or "")
    notebook.print(second, "3", "")
    await client.findings(second, 1)
    notebook.print(second, "4", ERROR)
    await client.findings(second, 2)
    # Nobody can go to a cell whose notebook is closed.
    notebook.close()
    await client.pushed(second, 0)


async def test_only_python_cells_are_read_wherever_they_are_moved(
    own_session: Callable[..., AbstractAsyncContextManager[Client]], workspace: Path
) -> None:
    async with own_session("vscode") as client:
        texts = ("import torch as th\n", "th._dynamo.config.recompile_limit = 0\n")
        notebook = Notebook(client, workspace / "a.ipynb", texts)
        notebook.open()
        first, second = notebook.cells
        await client.findings(second, 1)
        third = notebook.add("%%bash\nth._dynamo.config.recompile_limit = 0\n")
        fourth = notebook.add("%%time\n!pip install torch\nth._dynamo.config.suppress_errors = True\n")
        await client.findings(fourth, 1)
        await client.findings(third, 0)
        notebook.move([3, 1, 2, 0])
        assert [(item.range.start.line, item.range.end.character) for item in await client.findings(second, 1)] == [
            (0, 37)
        ]
        assert [item.range.start.line for item in await client.findings(fourth, 1)] == [2]
        notebook.change(first, 2, (0, 0, 0, 0), "# detour: ignore-file\n")
        await client.findings(second, 0)


async def test_changes_of_a_notebook_that_is_not_open_are_dropped(
    own_session: Callable[..., AbstractAsyncContextManager[Client]], workspace: Path
) -> None:
    async with own_session("vscode") as client:
        notebook = Notebook(client, workspace / "never.ipynb")
        notebook.change(notebook.cells[1], 2, (0, 0, 0, 0), "x\n")
        notebook.open()
        await client.findings(notebook.cells[1], 1)


async def test_a_large_notebook_is_checked_beside_the_loop_and_may_be_closed_meanwhile(
    own_session: Callable[..., AbstractAsyncContextManager[Client]], workspace: Path
) -> None:
    async with own_session("vscode") as client:
        steps = "".join(
            f"def step_{n}(model, batch):\n    return th.compile(model)(batch), {n}\n" for n in range(1_000)
        )
        texts = ("import torch as th\n", f"{steps}th._dynamo.config.recompile_limit = 0\n")
        notebook = Notebook(client, workspace / "a.ipynb", texts)
        notebook.open()
        second = notebook.cells[1]
        (finding,) = await client.findings(second, 1)
        assert finding.range.start.line == 2_000
        for version in range(2, 12):
            notebook.change(second, version, (0, 0, 0, 0), "# one more\n")
        (finding,) = await client.findings(second, 1)
        assert finding.range.start.line == 2_010
        notebook.change(second, 12, (0, 0, 0, 0), "# one more\n")
        notebook.close()
        notebook.open()
        await client.findings(second, 1)
        notebook.close()
        await client.pushed(second, 0)
