"""Checks open Python documents: on the loop while that is quick, on a thread when it is not, and never a stale one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from detour_lsp.lsp.document_kinds import is_python
from detour_lsp.lsp.notebook_checks import NotebookChecks
from detour_lsp.lsp.text_document import SyncedDocument
from detour_lsp.lsp.uris import path_of, same
from detour_lsp.source.finding import Finding
from detour_lsp.source.parsing import Edit
from detour_lsp.workspace.document import Change

if TYPE_CHECKING:
    from detour_lsp.lsp.server import DetourServer
    from detour_lsp.source.check import State

#: Texts longer than this are checked on a thread, so that the loop stays free for hovers.
QUICK_CHARACTERS = 60_000


class Analysis:
    """The findings of the open Python documents."""

    def __init__(self, server: DetourServer) -> None:
        self._server = server
        self._states: dict[str, State] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        #: Edits that the state of a document has not seen yet.
        self._pending: dict[str, list[Change]] = {}
        #: Documents whose state is of other settings or records; it is shown until the next one is there.
        self._outdated: set[str] = set()
        #: The cells of notebooks are checked together.
        self.notebooks = NotebookChecks(server)

    def findings(self, uri: str) -> list[Finding]:
        """The findings of a document as last checked."""
        state = self._states.get(same(uri))
        found = state.findings if state is not None else self.notebooks.findings(uri)
        checkers = self._server.checkers
        if not found or checkers is None:
            return []
        home = self._server.home_of(uri)
        return checkers.wanted(self._server.folder_of(home), home, str(home or uri), found)

    def is_behind(self, uri: str) -> bool:
        """Whether what is known of a document is about an older text, and is soon told anew."""
        key, document = same(uri), self._server.document(uri)
        state, task = self._states.get(key), self._tasks.get(key)
        running = task is not None and not task.done()
        return running and state is not None and document is not None and state.text != document.document.text

    def checked(self, uri: str) -> object:
        """What the last check of a document, or of the notebook of a cell, has left: another thing after the next."""
        return self._states.get(same(uri)) or self.notebooks.checked(uri)

    def is_current(self, uri: str) -> bool:
        """Whether the findings of a document are those of the text that it has now."""
        notebook, document = self.notebooks.notebook_of(uri), self._server.document(uri)
        if notebook is not None:
            return self.notebooks.is_current(notebook)
        state = self._states.get(same(uri))
        return state is not None and document is not None and state.text == document.document.text

    async def current(self, uri: str, fingerprint: str) -> Finding | None:
        """A finding where it stands in the text as it is now; None when it is gone, or somebody types all the time."""
        if not self.is_current(uri):
            await self.settled(uri)
        if not self.is_current(uri):
            return None
        return next((found for found in self.findings(uri) if found.fingerprint == fingerprint), None)

    def state(self, uri: str) -> State | None:
        """The parsed file behind the findings, for repairs."""
        return self._states.get(same(uri))

    async def settled(self, uri: str) -> None:
        """Wait until the document's last edit has been checked."""
        notebook = self.notebooks.notebook_of(uri)
        if notebook is not None:
            await self.notebooks.settled(notebook)
        task = self._tasks.get(same(uri))
        if task is not None and not task.done():
            await asyncio.shield(task)

    def changed(self, uri: str, changes: list[Change] | None = None) -> None:
        """A document was opened (no changes) or edited: check it soon, one check at a time."""
        notebook = self.notebooks.notebook_of(uri)
        if notebook is not None:
            self.notebooks.changed(notebook, uri)
            return
        key = same(uri)
        if changes is None:
            self._states.pop(key, None)
            self._pending.pop(key, None)
        else:
            self._pending.setdefault(key, []).extend(changes)
        task = self._tasks.get(key)
        if task is None or task.done():
            self._tasks[key] = self._server.spawn(self._check(uri))

    def closed(self, uri: str) -> None:
        """Forget a document."""
        key = same(uri)
        self._states.pop(key, None)
        self._pending.pop(key, None)
        self._outdated.discard(key)
        task = self._tasks.pop(key, None)
        if task is not None:
            task.cancel()

    def recheck(self) -> None:
        """Check every open document afresh: settings or records have changed."""
        for document in list(self._server.documents.text_documents.values()):
            if isinstance(document, SyncedDocument) and is_python(document):
                self._outdated.add(same(document.uri))
                self.changed(document.uri, [])

    async def _check(self, uri: str) -> None:
        server = self._server
        await server.ready()
        key = same(uri)
        while True:
            if debounce := server.settings_of(uri).debounce:
                await asyncio.sleep(debounce / 1000)
            document = server.document(uri)
            if document is None:
                return
            await self._check_once(key, document)
            if server.document(uri) is not document:
                return
            # By what was edited: some clients give every edit the same version.
            if not self._pending.get(key) and key not in self._outdated:
                break
        if not server.abilities.pull_diagnostics:
            server.publish([uri])

    async def _check_once(self, key: str, document: SyncedDocument) -> None:
        server = self._server
        outdated = key in self._outdated
        self._outdated.discard(key)
        if not server.settings_of(document.uri).check_enabled:
            self._states.pop(key, None)
            return
        assert server.checkers is not None
        home = server.home_of(document.uri)
        checker = server.checkers.of(server.folder_of(home), home)
        text, name = document.document.text, str(path_of(document.uri) or document.uri)
        changes, old = self._pending.pop(key, []), None if outdated else self._states.get(key)

        edits = [Edit(change.start, change.old_end, change.text) for change in changes]

        def work() -> State:
            return checker.start(text, name) if old is None else checker.update(old, edits)

        # Of a large text, which names matter is found out at the first edit of a binding: not on the loop.
        guard = old.guard if old is not None else None
        quick = len(text) <= QUICK_CHARACTERS or (guard is not None and guard.names is not None)
        state = checker.pass_over(old, edits) if old is not None and quick else None
        if state is None:
            state = work() if len(text) <= QUICK_CHARACTERS else await server.compute(work)
        if server.document(document.uri) is document:
            self._states[key] = state
