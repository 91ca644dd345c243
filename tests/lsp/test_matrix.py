"""Everything that the server answers is tested in every client profile, and README.md says by which test."""

from __future__ import annotations

from importlib import import_module

import pytest

from detour_lsp.lsp.features import COMMANDS, NOTIFICATIONS, REQUESTS
from detour_lsp.lsp.greeting import answer, greeting_of

from .matrix import README, rows, table
from .profiles import PROFILES

#: What a client says before and after everything; `own_session` and `running` say it in each profile.
BY_EVERY_SESSION = {"initialize", "initialized"}


def answered() -> set[str]:
    """Every request, notification and command of the server."""
    methods = {request.method for request in REQUESTS} | set(COMMANDS)
    for name in NOTIFICATIONS:
        methods |= set(import_module(f"detour_lsp.lsp.notifications.{name}").HANDLERS)
    return methods


def test_everything_that_the_server_answers_is_tested_in_every_profile() -> None:
    tested = {message for row in rows() if row.everywhere for message in row.messages}
    assert answered() - tested - BY_EVERY_SESSION == set()


def test_no_test_speaks_of_what_the_server_does_not_answer() -> None:
    protocol = {"$/cancelRequest", "window/workDoneProgress/cancel"}
    assert {message for row in rows() for message in row.messages} - answered() - protocol == set()


def test_the_table_is_not_stale() -> None:
    assert README.read_text(encoding="utf-8") == table(), "run `python -m tests.lsp.matrix`"


@pytest.mark.parametrize("name", list(PROFILES))
def test_what_is_announced_to_each_client(name: str) -> None:
    """From the JSON as the editor sent it: pytest-lsp leaves out what lsprotocol does not know."""
    profile = PROFILES[name]
    params = {"capabilities": profile.capabilities, "processId": None, "rootUri": None}
    found = answer(greeting_of({"id": 1, "method": "initialize", "params": params}))["capabilities"]
    assert found["positionEncoding"] == profile.encoding
    assert ("notebookDocumentSync" in found) == profile.notebooks
    if profile.pulls:
        assert found["diagnosticProvider"]["identifier"] == "detour"
    elif "diagnostic" in profile.capabilities.get("textDocument", {}):
        assert "diagnosticProvider" not in found, "it would pull, and show old settings"
    assert found["textDocumentSync"] == {"openClose": True, "change": 2, "save": False}
    assert set(found["executeCommandProvider"]["commands"]) == set(COMMANDS)
    for provider in ("hover", "definition", "documentSymbol", "codeAction", "codeLens", "documentLink", "foldingRange"):
        assert found[f"{provider}Provider"], provider


def test_the_profiles_differ_in_what_the_tests_branch_on() -> None:
    """Else a branch of some test would never be taken."""
    same = {
        field
        for field in next(iter(PROFILES.values())).__dataclass_fields__
        if len({str(getattr(profile, field)) for profile in PROFILES.values()}) == 1
    }
    assert same == set()
    assert {profile.encoding for profile in PROFILES.values()} == {"utf-8", "utf-16", "utf-32"}
    assert {profile.fixes for profile in PROFILES.values()} == {"actions", "commands", "none"}
