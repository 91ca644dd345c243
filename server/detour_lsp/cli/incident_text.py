"""Incidents for people: what it is, where in the log, the user's line with an excerpt, and what to do."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from detour_lsp.card import CardContext, compose_card, title_of
from detour_lsp.card.compose import best_action
from detour_lsp.card.labels import Language, language_of
from detour_lsp.cli.excerpt import excerpt
from detour_lsp.cli.locale import user_locale
from detour_lsp.cli.terminal import Painter, print_markdown
from detour_lsp.logs.incident import Incident

if TYPE_CHECKING:
    from detour_lsp.knowledge.compiled import CompiledKnowledge


def card_context(incident: Incident, torch: str | None, language: Language) -> CardContext:
    """What the card of an incident may know about it."""
    return CardContext(
        language=language,
        captures=incident.captures,
        message=incident.message,
        torch=torch or incident.torch_version,
        signature=incident.signature,
        level=incident.level,
        ranks=incident.ranks,
        count=incident.count,
        truncated=incident.truncated,
        stale=incident.stale,
    )


class IncidentWriter:
    """Writes incidents one after another and counts them."""

    def __init__(
        self, knowledge: CompiledKnowledge, root: Path, *, cards: bool = False, torch: str | None = None
    ) -> None:
        self.knowledge = knowledge
        self.root = root
        self.cards = cards
        self.torch = torch
        self.language: Language = language_of(user_locale())
        self.painter = Painter(sys.stdout)
        self.count = 0

    def write(self, incident: Incident) -> None:
        """Write one incident."""
        paint, line = self.painter.paint, self.painter.line
        record = self.knowledge.records[incident.record]
        context = card_context(incident, self.torch, self.language)
        self.count += 1
        place = f"{incident.file}:{incident.span.line}:{incident.span.column}"
        times = f" ×{incident.count}" if incident.count > 1 else ""
        ranks = f" ranks {','.join(map(str, incident.ranks[:8]))}" if len(incident.ranks) > 1 else ""
        line(
            f"{paint(place, 'bold')}: {self.painter.severity(incident.level, incident.level)}"
            f"[{paint(incident.record, 'cyan')}] {paint(title_of(record, self.language))}{paint(times + ranks, 'dim')}"
        )
        for text in incident.message.splitlines()[:4]:
            line(f"  {paint(text[:200], 'dim')}")
        self._frame(incident)
        action = best_action(record, context)
        if action:
            line(f"  {paint('→', 'green', 'bold')} {paint(action)}")
        if self.cards:
            line()
            print_markdown(compose_card(record, context), sys.stdout)
        line()

    def _frame(self, incident: Incident) -> None:
        frame = incident.user_frame
        if frame is None:
            return
        where = f"  {incident.resolved or frame.file}:{incident.current_line or frame.line}"
        function = f" in {frame.function}" if frame.function else ""
        note = " (the file has changed since)" if incident.stale else ""
        self.painter.line(self.painter.paint(where, "blue") + self.painter.paint(function + note))
        if incident.resolved is None or incident.stale:
            return
        try:
            lines = (self.root / incident.resolved).read_text(encoding="utf-8", errors="replace").split("\n")
        except OSError:
            return  # The file went away between resolving and showing: the place above still stands.
        for row in excerpt(self.painter, lines, incident.current_line or frame.line):
            self.painter.line(f"    {row}")

    def summary(self) -> None:
        """Say how many there were."""
        noun = "incident" if self.count == 1 else "incidents"
        self.painter.line(f"{self.count or 'No'} {noun}." if self.count else "No known errors found.")
