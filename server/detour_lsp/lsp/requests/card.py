"""`detour/card`: the Markdown card of a record or of a living incident, for previews and panels."""

from __future__ import annotations

from typing import Any

from detour_lsp.card import CardContext, compose_card
from detour_lsp.card.labels import language_of
from detour_lsp.lsp.parameters import text_of
from detour_lsp.lsp.server import DetourServer


async def handle(ls: DetourServer, params: Any) -> dict[str, str | None]:
    """Answer with `{"markdown": ...}`, or null for an id or key that is unknown."""
    knowledge = await ls.ready()
    key, record_id, locale = text_of(params, "key"), text_of(params, "record"), text_of(params, "locale")
    language = language_of(locale) if locale else ls.language
    entry = ls.store.find(key) if key else None
    if entry is not None:
        return {"markdown": ls.cards.of_entry(entry)}
    record = knowledge.records.get(record_id or "")
    if record is None:
        return {"markdown": None}
    return {"markdown": compose_card(record, CardContext(language=language, torch=ls.settings.general.torch or None))}
