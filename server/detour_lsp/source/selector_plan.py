"""What is known of a selector before any file is read, in the form that `candidates` asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from detour_lsp.knowledge.record import Clause
from detour_lsp.source.spellings import names_of, public

_HEADS = ("set", "call", "decorator", "use", "env", "class")


def head_of(selector: Clause) -> str:
    """Which of the six kinds a selector is; empty for none."""
    return next((head for head in _HEADS if head in selector), "")


def words_of(selector: Clause) -> tuple[str, ...]:
    """The words one of which must stand in a file for the selector to match there (before renaming)."""
    names = names_of(selector.get(head_of(selector)))
    if head_of(selector) == "env":
        return tuple("environ" if name == "*" else name for name in names) + (("putenv",) if "*" in names else ())
    words: list[str] = []
    for name in names:
        last = name.rpartition(".")[2]
        # A pattern has no word of its own; its keywords must stand in every call that it means.
        words.extend(
            [last] if "*" not in last else [word for word in selector.get("keyword", {}) if word.isidentifier()]
        )
    return tuple(dict.fromkeys(words))


@dataclass(frozen=True, slots=True)
class Plan:
    """What is known of a selector before any file is read."""

    selector: Clause
    head: str
    names: frozenset[str]
    #: The names hold a pattern: the word is then a keyword.
    pattern: bool
    #: Must stand in a loop, or in methods of such names.
    loops: bool
    methods: tuple[bytes, ...]
    #: The last words of the functions that make the object whose method is called.
    receivers: tuple[bytes, ...]
    #: It is about whether a thing exists: silent in the library itself.
    existence: bool
    #: It is not for tests.
    no_tests: bool
    #: What the functions are called whose results are passed; each group must be named.
    passed: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, selector: Clause) -> Plan:
        """The plan of a selector."""
        head = head_of(selector)
        names = frozenset(public(name) for name in names_of(selector.get(head, ())))
        inside = names_of(selector.get("inside", ()))
        methods = tuple(b"def " + name.partition(":")[2].encode() for name in inside if name.startswith("method:"))
        known = all(name == "loop" or name.startswith("method:") for name in inside)
        made: Any = selector.get("receiver")
        receiver = cast("Mapping[str, Any]", made) if isinstance(made, Mapping) else dict[str, Any]()
        predicates: list[Any] = [
            *cast("Mapping[str, Any]", selector.get("keyword", {})).values(),
            *cast("Mapping[str, Any]", selector.get("position", {})).values(),
            selector.get("receiver"),
        ]
        passed = tuple(
            names_of(cast("Mapping[str, Any]", item)["call"])
            for item in predicates
            if isinstance(item, Mapping) and "call" in item
        )
        return cls(
            selector=selector,
            head=head,
            names=names,
            pattern=any("*" in name for name in names),
            loops=bool(inside) and known,
            methods=methods,
            receivers=tuple(name.rpartition(".")[2].encode() for name in names_of(receiver.get("call", ()))),
            existence=not ({"value", "keyword", "position"} & selector.keys()),
            no_tests="test" in names_of(selector.get("outside", ())),
            passed=passed,
        )
