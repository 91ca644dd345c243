"""What the names of one Python file mean: which library function a call reaches, which value an expression has.

`Module` is what selectors and repairs ask; it never guesses: what cannot be known resolves to None or UNKNOWN.

Signatures first (2026-11-30 20:00); the implementation follows in the next commits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tree_sitter import Node

from detour_lsp.source.parsing import SourceTree


@dataclass(frozen=True, slots=True)
class Known:
    """A value that the text fixes: int, float, bool, None, str, bytes, or a tuple of such."""

    value: object


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that only running the program would tell."""


UNKNOWN = Unknown()


@dataclass(frozen=True, slots=True)
class Keyword:
    """`name=value` in a call: `node` is the whole keyword argument, `value` its right side.
    For a keyword that came from a `partial` or a `**{"name": ...}` literal, `node` is what stands there."""

    name: str
    node: Node
    value: Node


@dataclass(frozen=True, slots=True)
class Call:
    """A call, a decorator, or a `functools.partial(f, ...)` read as a call of `f`."""

    #: The whole call expression (for a bare decorator `@f`: the expression `f`).
    node: Node
    #: What is called: the node of the function expression (`torch.load`), inside the partial for one.
    function: Node
    #: Qualified name of what is called (`torch.load`), or None.
    name: str | None
    #: Last component for a method call on anything (`backward` of `loss.backward()`), else None.
    method: str | None
    #: The object of a method call, else None.
    receiver: Node | None
    keywords: Mapping[str, Keyword]
    arguments: tuple[Node, ...]
    #: Whether `*args` / `**kwargs` of unknown content are passed.
    star: bool
    double_star: bool
    #: `call`, `decorator` (call or bare), `partial` (the partial itself), `applied` (a call through a name that holds a partial).
    kind: str
    #: The decorated `function_definition` / `class_definition` for a decorator.
    definition: Node | None = None


class Module:
    """One Python file (or notebook cell run together)."""

    tree: SourceTree
    text: str
    path: str

    def __init__(self, text: str, path: str, tree: SourceTree | None = None) -> None: ...

    def calls(self) -> Iterator[Call]:
        """Every call and decorator in source order."""
        ...

    def call(self, node: Node) -> Call | None:
        """The `Call` of a `call` node or of the expression of a bare decorator."""
        ...

    def resolve(self, node: Node) -> str | None:
        """The qualified name that an expression stands for (`torch.cuda.amp.autocast`), or None."""
        ...

    def resolve_all(self, node: Node) -> tuple[str, ...]:
        """As `resolve`, with every alternative of `try`/`except ImportError` and conditional imports, preferred first."""
        ...

    def value(self, node: Node) -> Known | Unknown:
        """The constant value of an expression."""
        ...

    def origin(self, node: Node) -> Call | None:
        """The call that made the object in an expression (`scaler` -> `torch.amp.GradScaler(...)`, `self.fc` -> `nn.Linear(...)`), if it is one."""
        ...

    def definition(self, node: Node) -> Node | None:
        """The `def` or `class` in this file that a name (or `self.method`) refers to."""
        ...

    def statement_at(self, line: int) -> Node | None:
        """The innermost statement that covers the line (from 1); for a compound statement only its header counts."""
        ...

    def statement_of(self, node: Node) -> Node:
        """The statement that a node belongs to (a `decorated_definition` counts as one)."""
        ...

    def function_at(self, line: int) -> Node | None:
        """The innermost `function_definition` around the line."""
        ...

    def function_of(self, node: Node) -> Node | None:
        """The innermost `function_definition` around a node (not the one whose header it is in)."""
        ...

    def class_of(self, node: Node) -> Node | None:
        """The innermost `class_definition` around a node."""
        ...

    def bases(self, definition: Node) -> tuple[str, ...]:
        """Qualified names of a class's bases, through classes of this file."""
        ...

    def imports(self) -> tuple[Node, ...]:
        """The module-level import statements in order (also inside `try` and `if`)."""
        ...

    def visible(self, name: str, node: Node) -> str | None:
        """The qualified name that the plain name `name` would have at the node's place (for edits that write names)."""
        ...

    def spelling(self, qualified: str, node: Node) -> str | None:
        """How `qualified` can be written at the node's place with the imports that are there (`nn.Linear`), or None."""
        ...
