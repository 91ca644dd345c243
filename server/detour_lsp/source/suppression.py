"""Comments with which people say that they know: `# detour: ignore[record]` on a line, `# detour: ignore-file`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from detour_lsp.source.finding import Finding
from detour_lsp.source.parsing import SourceTree

_COMMENT = re.compile(r"#\s*detour:\s*(?P<what>ignore-file|ignore)\b(?:\s*\[(?P<ids>[^\]\n]*)\])?", re.IGNORECASE)


@dataclass(slots=True)
class Suppression:
    """One comment: the records that it names (empty: all), and whether it has silenced anything."""

    line: int
    start: int
    end: int
    records: tuple[str, ...]
    file: bool
    used: bool = False

    def covers(self, record: str) -> bool:
        """Whether the comment names the record, by id or by the part behind the domain."""
        return not self.records or any(name in {record, record.partition("/")[2]} for name in self.records)


@dataclass(frozen=True, slots=True)
class UnusedSuppression:
    """A comment that silences nothing (any more)."""

    line: int
    column: int
    text: str


class Suppressions:
    """The suppression comments of a text."""

    def __init__(self, tree: SourceTree) -> None:
        self.tree = tree
        self.items: list[Suppression] = []
        for match in _COMMENT.finditer(tree.text) if "detour:" in tree.text else ():
            if not _is_comment(tree, match.start()):
                continue
            line, _ = tree.position(match.start())
            ids = tuple(part.strip() for part in (match["ids"] or "").split(",") if part.strip())
            whole = match["what"].lower() == "ignore-file"
            self.items.append(Suppression(line, match.start(), match.end(), ids, whole))

    @property
    def whole_file(self) -> bool:
        """Whether a comment silences every record in the file."""
        return any(item.file and not item.records for item in self.items)

    def cover(self, finding: Finding) -> bool:
        """Whether a comment on the finding's lines, or one for the file, silences it; the comment is then used."""
        covered = False
        for item in self.items:
            if item.covers(finding.record) and (item.file or finding.line <= item.line <= finding.end_line):
                item.used = covered = True
        return covered

    def unused(self) -> list[UnusedSuppression]:
        """Comments that silence nothing; ask after all findings were offered to `cover`."""
        return [
            UnusedSuppression(*self.tree.position(item.start), self.tree.text[item.start : item.end])
            for item in self.items
            if not item.used
        ]


def _is_comment(tree: SourceTree, offset: int) -> bool:
    node = tree.node_at(offset, offset + 1)
    if node.type == "comment":
        return True
    # In a statement that was blanked out, because it is broken, the comment is no node any more.
    return tree.broken and node.type not in {"string", "string_content"}
