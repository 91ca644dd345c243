"""A few source lines with the guilty one marked, as compilers show them."""

from __future__ import annotations

from collections.abc import Sequence

from detour_lsp.cli.terminal import Painter


def excerpt(
    painter: Painter, lines: Sequence[str], line: int, column: int = 1, end_column: int | None = None, around: int = 2
) -> list[str]:
    """Rows of `lines` around the 1-based `line`, with carets below columns `column:end_column` of it."""
    first, last = max(1, line - around), min(len(lines), line + around)
    width = len(str(last))
    rows: list[str] = []
    for number in range(first, last + 1):
        text = lines[number - 1].rstrip("\r\n").expandtabs(4)[:200]
        gutter = f"{number:>{width}} │ "
        if number == line:
            rows.append(painter.paint("❱ ", "red", "bold") + painter.paint(gutter, "dim") + painter.paint(text, "bold"))
            if end_column is not None and end_column > column:
                start = len(lines[number - 1][: column - 1].expandtabs(4))
                length = max(1, min(end_column - column, len(text) - start))
                rows.append(
                    "  " + painter.paint(" " * width + " │ ", "dim") + " " * start + painter.paint("^" * length, "red")
                )
        else:
            rows.append("  " + painter.paint(gutter, "dim") + painter.paint(text))
    return rows
