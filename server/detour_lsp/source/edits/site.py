"""What every edit works on: a place in a draft, and the questions that edits ask about the text around it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import tree_sitter_python
from tree_sitter import Language, Node, Parser

from detour_lsp.source.draft import Draft
from detour_lsp.source.finding import TextEdit
from detour_lsp.source.names import Call
from detour_lsp.source.templates import Refused

_LANGUAGE = Language(tree_sitter_python.language())

#: Expressions that bind at least as tightly as a method call, so that `.name` or `(...)` may follow them.
ATOMS = frozenset(
    {
        "identifier", "attribute", "subscript", "call", "string", "concatenated_string", "list", "tuple", "dictionary",
        "set", "parenthesized_expression", "list_comprehension", "dictionary_comprehension", "set_comprehension",
        "generator_expression", "true", "false", "none", "ellipsis", "float",
    }
)  # fmt: skip
#: Parents whose child may be any expression without parentheses.
_OPEN = frozenset(
    {
        "argument_list", "keyword_argument", "assignment", "augmented_assignment", "parenthesized_expression", "list",
        "expression_statement", "return_statement", "pair", "tuple", "set", "subscript", "expression_list", "module",
        "default_parameter", "typed_default_parameter",
    }
)  # fmt: skip
_BRACKETS = frozenset(
    {"argument_list", "parenthesized_expression", "list", "tuple", "set", "dictionary", "subscript", "parameters"}
)
COMPOUND = frozenset(
    {
        "if_statement", "for_statement", "while_statement", "with_statement", "try_statement", "match_statement",
        "function_definition", "class_definition", "decorated_definition",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Site:
    """A place that an `at` named: an expression or a statement of a draft."""

    draft: Draft
    node: Node
    call: Call | None = None
    #: The right side, for a place that sets something.
    value: Node | None = None
    #: What the groups of a `statement` regex matched.
    names: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def called(self) -> Call:
        """The call that the place is. Raises Refused where it is none."""
        if self.call is None:
            raise Refused("the place is not a call")
        return self.call

    @property
    def start(self) -> int:
        """Offset where the place begins."""
        return self.draft.module.tree.start(self.node)

    @property
    def end(self) -> int:
        """Offset behind the place."""
        return self.draft.module.tree.end(self.node)

    @property
    def text(self) -> str:
        """The place's source, from the text itself (the tree of a broken file is that of a patched text)."""
        return self.draft.source(self.start, self.end)

    def span(self, node: Node) -> tuple[int, int]:
        """Offsets of any node of the same draft."""
        tree = self.draft.module.tree
        return tree.start(node), tree.end(node)

    def source(self, node: Node) -> str:
        """Source of any node of the same draft."""
        return self.draft.source(*self.span(node))

    def replace(self, node: Node, text: str) -> TextEdit:
        """The edit that puts `text` in a node's place."""
        return TextEdit(*self.span(node), text)

    def statement(self) -> Node:
        """The statement that the place belongs to."""
        return self.draft.module.statement_of(self.node)

    def line_start(self, offset: int) -> int:
        """Offset of the beginning of the line that holds `offset`."""
        return self.draft.text.rfind("\n", 0, offset) + 1

    def line_end(self, offset: int) -> int:
        """Offset of the line ending of the line that holds `offset` (of its CR, for CRLF), or of the text's end."""
        end = self.draft.text.find("\n", offset)
        if end < 0:
            return len(self.draft.text)
        return end - 1 if end > offset and self.draft.text[end - 1] == "\r" else end

    def next_line(self, offset: int) -> int:
        """Offset of the beginning of the next line, or of the text's end."""
        end = self.draft.text.find("\n", offset)
        return len(self.draft.text) if end < 0 else end + 1

    def indent(self, offset: int) -> str:
        """The white space that the line of `offset` begins with."""
        start = self.line_start(offset)
        match = re.compile(r"[ \t\f]*").match(self.draft.text, start)
        return match[0] if match else ""

    def first_on_line(self, offset: int) -> bool:
        """Whether only white space stands in front of `offset` on its line."""
        return not self.draft.text[self.line_start(offset) : offset].strip()

    def last_on_line(self, offset: int) -> bool:
        """Whether only a comment or nothing follows `offset` on its line."""
        rest = self.draft.text[offset : self.line_end(offset)].strip()
        return not rest or rest.startswith("#")

    def unit(self) -> str:
        """One step of indentation, as this file does it."""
        for match in re.finditer(r"^(\t+|  +)\S", self.draft.text, re.MULTILINE):
            return "\t" if match[1].startswith("\t") else "  " if len(match[1]) == 2 else "    "
        return "    "

    def block(self, code: str, indent: str) -> str:
        """Lines of code at an indentation, with the file's line endings, without a final one."""
        unit = self.unit()
        lines: list[str] = []
        for line in code.strip("\n").split("\n"):
            body = line.lstrip(" ")
            steps, rest = divmod(len(line) - len(body), 4)
            lines.append(indent + unit * steps + " " * rest + body if body else "")
        return self.draft.newline.join(lines)


def blank_lines(site: Site, line: int) -> tuple[int, int]:
    """How many blank lines, two at most, stand in front of and behind the beginning of a line."""
    text = site.draft.text
    above, start = 0, line
    while above < 2 and start > 0 and not text[(start := text.rfind("\n", 0, start - 1) + 1) : line].strip(" \t\r\n"):
        above += 1
    behind = re.compile(r"(?:[ \t]*\r?\n)*").match(text, line)
    counts = (above, behind[0].count("\n") if behind else 0)
    if line == 0:
        counts = (2, counts[1])
    if line >= len(text):
        counts = (counts[0], 2)
    return min(counts[0], 2), min(counts[1], 2)


def ancestors(node: Node) -> Iterator[Node]:
    """The nodes around a node, innermost first."""
    current = node.parent
    while current is not None:
        yield current
        current = current.parent


def is_statement(node: Node) -> bool:
    """Whether a node is a statement of a block or of the module."""
    parent = node.parent
    return parent is not None and parent.type in {"block", "module"} and node.is_named


def normal(source: str) -> str:
    """Source with white space that means nothing taken out, for comparing."""
    return re.sub(r"\s*([()\[\]{},=:])\s*", r"\1", re.sub(r"\s+", " ", source)).replace(",)", ")").strip()


def expression(code: str) -> Node | None:
    """The expression node of a piece of code, or None where it is not one expression."""
    root = Parser(_LANGUAGE).parse(code.encode("utf-8", "surrogatepass")).root_node
    if root.has_error or root.named_child_count != 1:
        return None
    statement = root.named_children[0]
    if statement.type != "expression_statement" or statement.named_child_count != 1:
        return None
    return statement.named_children[0]


def is_atom(code: str) -> bool:
    """Whether `.name` may follow the code without parentheses."""
    node = expression(code)
    return node is not None and node.type in ATOMS


def bracketed(node: Node) -> bool:
    """Whether an expression stands inside brackets, where line ends mean nothing."""
    for parent in ancestors(node):
        if parent.type in _BRACKETS:
            return True
        if is_statement(parent):
            return False
    return False


def fits(node: Node, code: str) -> str:
    """`code` as it may stand in the node's place: in parentheses where precedence or line ends ask for them."""
    parent = node.parent
    if parent is not None and parent.type not in _OPEN and not is_atom(code):
        return f"({code})"
    if "\n" in code and not bracketed(node) and expression(code) is None:
        return f"({code})"
    return code


def tight(code: str) -> str:
    """`code` with parentheses unless it binds tightly, so that `.name` may follow."""
    return code if is_atom(code) else f"({code})"


def value_of(site: Site) -> Node:
    """The expression that a place stands for: itself, the right side of an assignment, what is returned."""
    if site.value is not None:
        return site.value
    node = site.node
    while True:
        if node.type == "expression_statement" and node.named_children:
            node = node.named_children[0]
        elif node.type in {"assignment", "augmented_assignment"}:
            right = node.child_by_field_name("right")
            if right is None:
                raise Refused("the statement assigns nothing")
            node = right
        elif node.type in {"return_statement", "assert_statement", "raise_statement", "await"}:
            named = [child for child in node.named_children if child.type != "comment"]
            if not named:
                raise Refused("the statement has no expression")
            node = named[0]
        elif is_statement(node):
            raise Refused(f"a {node.type.replace('_', ' ')} is not one expression")
        else:
            return node


def header_end(node: Node) -> Node | None:
    """The block of a compound statement, in front of which its header ends."""
    if node.type == "decorated_definition":
        definition = node.child_by_field_name("definition")
        return header_end(definition) if definition is not None else None
    return node.child_by_field_name("body") or node.child_by_field_name("consequence")
