"""The clients that every feature is tested with, and what each of them must get.

`vscode`, `neovim`, `emacs` and `helix` are what those editors really send: the JSON files here were recorded from them
(`record.sh`, `record-vscode.mjs`), and pytest-lsp sends them again. The other three are what no editor of today is but
any client may be. What a profile must get is written out here by hand, as LSP says it of such capabilities: it is not
worked out from them as the server does, so a mistake there shows.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from lsprotocol import types
from pygls.protocol import default_converter

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Profile:
    """A client: what it announces, and what follows from that for the server's answers."""

    name: str
    capabilities: dict[str, Any]
    #: How a card arrives.
    hover: Literal["markdown", "plaintext"] = "plaintext"
    #: Findings are asked for by the client; everyone else is told them unasked.
    pulls: bool = False
    encoding: Literal["utf-8", "utf-16", "utf-32"] = "utf-16"
    #: What a repair is offered as; `none` where the client could neither make an edit nor have it made.
    fixes: Literal["actions", "commands", "none"] = "actions"
    #: The edits of an action come when it is chosen, not with the list.
    lazy: bool = False
    preferred: bool = False
    disabled: bool = False
    #: Edits say which version of a document they are for.
    versioned: bool = False
    related: bool = False
    tags: bool = False
    #: A diagnostic's code leads to its documentation.
    documented: bool = False
    #: A diagnostic carries what it is about, for code actions.
    data: bool = False
    #: Symbols of a document have a range around their name.
    hierarchical: bool = False
    tooltips: bool = False
    progress: bool = False
    #: Notebooks come as notebooks; elsewhere their cells are plain documents.
    notebooks: bool = False
    #: Lets itself be asked for settings; everyone else sends them.
    asked: bool = False
    #: What the server may register for.
    registers: frozenset[str] = field(default_factory=frozenset)
    #: What the server may ask to be fetched again.
    refreshes: frozenset[str] = field(default_factory=frozenset)

    @property
    def parameters(self) -> types.ClientCapabilities:
        """The capabilities as pytest-lsp wants them."""
        return default_converter().structure(self.capabilities, types.ClientCapabilities)

    @property
    def expected(self) -> frozenset[str]:
        """The messages that this client may get at any time; everything else is a test's to expect."""
        methods = {types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, types.WINDOW_LOG_MESSAGE, *self.refreshes}
        if self.asked:
            methods.add(types.WORKSPACE_CONFIGURATION)
        if self.registers:
            methods.add(types.CLIENT_REGISTER_CAPABILITY)
        return frozenset(methods)


def _recorded(name: str) -> dict[str, Any]:
    return json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))["capabilities"]


_LITERALS = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}}

PROFILES = {
    profile.name: profile
    for profile in (
        Profile(
            "vscode",
            _recorded("vscode"),
            hover="markdown",
            pulls=True,
            lazy=True,
            preferred=True,
            disabled=True,
            versioned=True,
            related=True,
            tags=True,
            documented=True,
            data=True,
            hierarchical=True,
            tooltips=True,
            progress=True,
            notebooks=True,
            asked=True,
            registers=frozenset({types.WORKSPACE_DID_CHANGE_CONFIGURATION, types.WORKSPACE_DID_CHANGE_WATCHED_FILES}),
            refreshes=frozenset({types.WORKSPACE_CODE_LENS_REFRESH, types.WORKSPACE_DIAGNOSTIC_REFRESH}),
        ),
        Profile(
            "neovim",
            _recorded("neovim"),
            hover="markdown",
            # 0.11 pulls but cannot be told to pull again, so it would keep what other settings said.
            pulls=False,
            encoding="utf-8",
            lazy=True,
            preferred=True,
            related=True,
            tags=True,
            data=True,
            hierarchical=True,
            progress=True,
            asked=True,
        ),
        Profile(
            "emacs",
            _recorded("emacs"),
            encoding="utf-32",
            lazy=True,
            preferred=True,
            versioned=True,
            tags=True,
            hierarchical=True,
            progress=True,
            asked=True,
            registers=frozenset({types.WORKSPACE_DID_CHANGE_WATCHED_FILES}),
        ),
        Profile(
            "helix",
            _recorded("helix"),
            hover="markdown",
            encoding="utf-8",
            lazy=True,
            preferred=True,
            disabled=True,
            versioned=True,
            tags=True,
            progress=True,
            asked=True,
            registers=frozenset({types.WORKSPACE_DID_CHANGE_WATCHED_FILES}),
        ),
        # Knows actions and Markdown, and no option of either.
        Profile(
            "push",
            {"textDocument": {"hover": {"contentFormat": ["markdown"]}, "codeAction": _LITERALS}},
            hover="markdown",
        ),
        # Knows commands and edits that a server asks for: LSP before there were actions.
        Profile("commands", {"workspace": {"applyEdit": True}}, fixes="commands"),
        # Announces nothing at all.
        Profile("bare", {}, fixes="none"),
    )
}
