"""Show the card of a record, or of the error in a text: an id, the error's text, or - for standard input."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from detour_lsp.card import CardContext, compose_card
from detour_lsp.card.labels import language_of
from detour_lsp.cli.knowledge_options import add_knowledge_arguments, open_from_options
from detour_lsp.cli.locale import user_locale
from detour_lsp.cli.main import NOTHING_FOUND, SOMETHING_FOUND, WRONG_USE
from detour_lsp.cli.terminal import print_markdown

if TYPE_CHECKING:
    from detour_lsp.knowledge.compiled import CompiledKnowledge


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `detour explain`."""
    parser.add_argument("what", nargs="+", metavar="ID|TEXT|-", help="a record's id, an error's text, or - for stdin")
    parser.add_argument("--language", choices=("en", "zh"), help="the language of the card (default: the locale's)")
    parser.add_argument("--torch", metavar="VERSION", help="the torch in use")
    add_knowledge_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Carry out `detour explain`: 0 when a card was shown, 1 when nothing is known."""
    knowledge = open_from_options(options, Path.cwd())
    language = options.language or language_of(user_locale())
    words: list[str] = options.what
    text = " ".join(words)
    record = knowledge.records.get(text.strip())
    if record is not None:
        print_markdown(compose_card(record, CardContext(language=language, torch=options.torch)))
        return NOTHING_FOUND
    data = sys.stdin.buffer.read() if words == ["-"] else text.encode("utf-8", "surrogateescape")
    return _explain_text(data, knowledge, language, options.torch, text)


def _explain_text(data: bytes, knowledge: CompiledKnowledge, language: str, torch: str | None, text: str) -> int:
    from detour_lsp.cli.incident_text import card_context
    from detour_lsp.logs.scan import Scanner

    incidents = Scanner(knowledge, common=True).scan(data, "<stdin>" if text == "-" else "<text>")
    cards = [
        compose_card(knowledge.records[incident.record], card_context(incident, torch, language_of(language)))
        for incident in incidents
    ]
    for index, card in enumerate(dict.fromkeys(cards)):
        if index:
            sys.stdout.write("\n---\n\n")
        print_markdown(card)
    if cards:
        return NOTHING_FOUND
    sys.stderr.write(_unknown(text, knowledge))
    return WRONG_USE if "/" in text and " " not in text else SOMETHING_FOUND


def _unknown(text: str, knowledge: CompiledKnowledge) -> str:
    from difflib import get_close_matches

    if text == "-" or " " in text.strip():
        return "detour explain: no record knows this error\n"
    near = get_close_matches(text, list(knowledge.records), 3, 0.5)
    near = near or [record for record in knowledge.records if text.lower() in record]
    hint = f"; did you mean {', '.join(near[:3])}?" if near else "; `detour kb list` lists all"
    return f"detour explain: no record {text!r}{hint}\n"
