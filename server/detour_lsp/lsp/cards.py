"""The cards of this session's findings and incidents, kept once composed: a hover asks for the same one again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from detour_lsp.card import CardContext, compose_card, one_line
from detour_lsp.workspace.incidents import Entry

if TYPE_CHECKING:
    from detour_lsp.lsp.server import DetourServer

MAX_KEPT = 256


class Cards:
    """Composes cards with what is known about the place that they are for."""

    def __init__(self, server: DetourServer) -> None:
        self._server = server
        self._kept: dict[tuple[str, str], str] = {}

    def forget(self) -> None:
        """Records or settings have changed."""
        self._kept.clear()

    def of_record(self, record_id: str, context: CardContext) -> str:
        """The card of a record."""
        key = record_id, repr(context)
        card = self._kept.get(key)
        if card is None:
            assert self._server.knowledge is not None
            while len(self._kept) >= MAX_KEPT:
                self._kept.pop(next(iter(self._kept)))
            card = self._kept[key] = compose_card(self._server.knowledge.records[record_id], context)
        return card

    def of_entry(self, entry: Entry) -> str:
        """The card of an incident."""
        return self.of_record(entry.incident.record, self.context(entry))

    def of_finding(self, uri: str, record_id: str, dead_end: int) -> str:
        """The card of a finding, with its dead end first."""
        server = self._server
        return self.of_record(
            record_id, CardContext(language=server.language, torch=server.torch_of(uri), dead_end=dead_end)
        )

    def line_of(self, entry: Entry) -> str:
        """An incident in one line, for lists and squiggles."""
        assert self._server.knowledge is not None
        return one_line(self._server.knowledge.records[entry.incident.record], self.context(entry))

    def context(self, entry: Entry) -> CardContext:
        """What is known about an incident; the torch that ran counts, else that of the code it is on."""
        server, incident = self._server, entry.incident
        torch = incident.torch_version or (
            server.torch_of(server.uri_of_target(entry.target)) if entry.target else None
        )
        return CardContext(
            language=server.language,
            captures=incident.captures,
            message=incident.message,
            torch=torch or server.settings.general.torch or None,
            signature=incident.signature,
            level=incident.level,
            ranks=incident.ranks,
            count=incident.count,
            truncated=incident.truncated,
            stale=incident.stale,
        )
