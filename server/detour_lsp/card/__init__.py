"""One record -> one Markdown card, the same for hover, command line and generated pages."""

from detour_lsp.card.compose import CardContext, compose_card, one_line, title_of

__all__ = ["CardContext", "compose_card", "one_line", "title_of"]
