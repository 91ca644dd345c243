"""The few places of a file that selectors must look at: around the words that selectors name, and around the names
that the file gives to what it found there.

Looking at every call of a file costs more than parsing it. The words of all selectors are searched in the text
instead; a word in an import alias or on the right of an assignment makes the new name a word of this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tree_sitter import Node

from detour_lsp.source.calls import Call
from detour_lsp.source.logical_lines import logical_lines
from detour_lsp.source.names import Module
from detour_lsp.source.writes import WRITING, Write, writes_of

_ROUNDS = 4
#: A file in which one alias occurs more often is generated; its first places stand for the rest.
_MOST = 5000
#: How far above a word its call or assignment may stand; made-up files nest thousands of calls.
_HEIGHT = 40
#: No statement begins so.
_GOES_ON = frozenset(".,)]}")
#: What may stand between a word and the name that it is assigned to without changing what it means.
_PLAIN = frozenset(
    {
        "attribute", "identifier", "string", "string_content", "concatenated_string", "parenthesized_expression",
        "conditional_expression", "call", "argument_list", "keyword_argument", "dictionary", "pair", "tuple", "list",
        "set", "expression_list", "named_expression",
    }
)  # fmt: skip
_CARRIERS = frozenset({"items", "getattr", "partial", "partialmethod", "dict", "import_module", "staticmethod"})


@dataclass(slots=True)
class Sites:
    """What was found around the words, each node once, in source order."""

    calls: list[Call] = field(default_factory=list[Call])
    writes: list[Write] = field(default_factory=list[Write])
    #: Identifiers and attribute chains that are read, and names in import statements.
    references: list[Node] = field(default_factory=list[Node])
    #: Classes whose bases name a word.
    classes: list[Node] = field(default_factory=list[Node])
    #: The words, and the names that the file gives to what they mean.
    names: frozenset[str] = frozenset()

    def glued(self, module: Module) -> bool:
        """Whether the parser took a half-typed line and the next for one statement, which it does not call an error."""
        nodes = [*(write.node for write in self.writes), *(call.node for call in self.calls), *self.references]
        for node in nodes:
            if node.start_point[0] == node.end_point[0]:
                continue
            source = module.tree.source(node)
            # Inside brackets of a statement around it, a call goes on with `.to_sparse_csr()` on the next line.
            if any(source[line.start] not in _GOES_ON for line in logical_lines(source)[1:]):
                return True
        return False


def find_sites(module: Module, words: Iterable[str], places: Sequence[tuple[int, int]] | None = None) -> Sites:
    """All places around the words and their local names; `places` are those of the words, in bytes of the text."""
    nodes: dict[int, Node] = {}
    words = frozenset(words)
    # Where places are given, the words stand for themselves there only; a name that is spelt alike is one more name.
    known = set(words) if places is None else set[str]()
    fresh = set(words)
    for round_ in range(_ROUNDS):
        added: set[str] = set()
        if round_ == 0 and places is not None:
            found = module.tree.nodes_at_bytes(places[:_MOST])
        else:
            found = (module.tree.node_at(start, end) for start, end in _occurrences(module.text, fresh))
        for node in found:
            _collect(module, node, nodes, added)
        fresh = added - known
        if not fresh:
            break
        known |= fresh
    sites = _sorted(module, nodes)
    sites.names = frozenset(known if places is not None else known - words)
    return sites


def _occurrences(text: str, words: Iterable[str]) -> list[tuple[int, int]]:
    """Where the words stand as whole words. A search for each is faster than one pattern of all."""
    found: list[tuple[int, int]] = []
    size = len(text)
    for word in words:
        position = text.find(word) if word else -1
        while position >= 0 and len(found) < _MOST:
            end = position + len(word)
            before = text[position - 1] if position else " "
            after = text[end] if end < size else " "
            if not (before.isalnum() or before == "_" or after.isalnum() or after == "_"):
                found.append((position, end))
            position = text.find(word, end)
    return found


def _collect(module: Module, node: Node, nodes: dict[int, Node], added: set[str]) -> None:
    """Note the constructs around a word, and the names that it is given to."""
    if node.type in {"comment", "ERROR", "module", "block"}:
        return
    if node.type in {"identifier", "dotted_name"}:
        _collect_reference(node, nodes)
    carries = True
    child, current = node, node.parent
    for _ in range(_HEIGHT):
        if current is None:
            return
        match current.type:
            case "call":
                nodes[current.id] = current
                # `load` of `load = torch.hub.load(...)` does not become a word, `dict(recompile_limit=0)` does.
                carries = carries and _carries(module, current)
            case "decorator":
                nodes[current.id] = current
                return
            case "delete_statement" | "augmented_assignment":
                nodes[current.id] = current
                return
            case "assignment":
                nodes[current.id] = current
                _name_of(module, current, child, added, carries=carries)
                if current.parent is not None and current.parent.type != "assignment":
                    return
            case "named_expression":
                if carries:
                    _name_of(module, current, child, added, carries=carries)
            case "for_statement" | "for_in_clause":
                left, right = current.child_by_field_name("left"), current.child_by_field_name("right")
                if left is not None and right is not None and child.id == right.id:
                    plain = [left] if left.type == "identifier" else left.named_children
                    added.update(module.tree.source(name) for name in plain if name.type == "identifier")
                return
            case "class_definition":
                superclasses = current.child_by_field_name("superclasses")
                if superclasses is not None and child.id == superclasses.id:
                    nodes[current.id] = current
                    name = current.child_by_field_name("name")
                    if name is not None:
                        # Classes derived from it may stand anywhere in the file.
                        added.add(module.tree.source(name))
                return
            case "aliased_import":
                alias = current.child_by_field_name("alias")
                if alias is not None:
                    added.add(module.tree.source(alias))
                return
            case _ if current.type.endswith(("_statement", "_definition")) or current.type in {"block", "module"}:
                return
            case _ if current.type not in _PLAIN:
                carries = False
            case _:
                pass
        child, current = current, current.parent


def _collect_reference(node: Node, nodes: dict[int, Node]) -> None:
    parent = node.parent
    if parent is None or parent.type in {"keyword_argument", "parameters", "lambda_parameters", "default_parameter"}:
        name = parent.child_by_field_name("name") if parent is not None else None
        if parent is None or name is None or name.id == node.id or parent.type.endswith("parameters"):
            return
    if parent.type == "attribute":
        attribute = parent.child_by_field_name("attribute")
        if attribute is not None and attribute.id == node.id:
            nodes[parent.id] = parent
        else:
            nodes[node.id] = node
        return
    if parent.type in {"function_definition", "class_definition", "global_statement", "nonlocal_statement"}:
        return
    nodes[node.id] = node


def _carries(module: Module, call: Node) -> bool:
    """Whether the value of a call still means what was passed to it."""
    function = call.child_by_field_name("function")
    if function is None:
        return False
    if function.type == "attribute":
        function = function.child_by_field_name("attribute") or function
    if module.tree.source(function) in _CARRIERS:
        return True
    # Imported under another name.
    meaning = module.resolve(function) if function.type == "identifier" else None
    return meaning is not None and meaning.rpartition(".")[2] in _CARRIERS


def _name_of(module: Module, node: Node, child: Node, added: set[str], *, carries: bool) -> None:
    left = node.child_by_field_name("left") or node.child_by_field_name("name")
    if not carries or left is None or left.id == child.id:
        return
    if left.type == "identifier":
        added.add(module.tree.source(left))
    elif left.type == "attribute":
        # `self.load = torch.load` is called in other methods.
        owner, attribute = left.child_by_field_name("object"), left.child_by_field_name("attribute")
        if owner is not None and attribute is not None and module.tree.source(owner) in {"self", "cls"}:
            added.add(module.tree.source(attribute))
    elif left.type in {"pattern_list", "tuple_pattern", "list_pattern"}:
        added.update(module.tree.source(item) for item in left.named_children if item.type == "identifier")


def _sorted(module: Module, nodes: dict[int, Node]) -> Sites:
    sites = Sites()
    decorated: set[int] = set()
    for node in sorted(nodes.values(), key=lambda item: (item.start_byte, -item.end_byte)):
        if node.type == "class_definition":
            sites.classes.append(node)
            continue
        if node.type == "decorator":
            call = module.decorator(node)
            if call is not None:
                decorated.add(call.node.id)
                sites.calls.append(call)
            continue
        if node.type == "call":
            call = module.call(node)
            if call is not None and node.id not in decorated:
                sites.calls.append(call)
                if call.name == "getattr":
                    sites.references.append(node)
        elif node.type not in WRITING:
            sites.references.append(node)
        if node.type in WRITING:
            sites.writes.extend(writes_of(module, node))
    return sites
