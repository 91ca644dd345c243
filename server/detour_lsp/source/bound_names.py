"""Which names a statement of Python binds, and which part of its right side each gets."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from detour_lsp.source.parsing import SourceTree, walk


def imported_names(tree: SourceTree, node: Node) -> Iterator[tuple[str, str]]:
    """Bound name and qualified name of each part of `import a.b, c as d`."""
    for child in node.named_children:
        if child.type == "dotted_name":
            first = _dotted(tree, child).partition(".")[0]
            yield first, first
        elif child.type == "aliased_import":
            name, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
            if name is not None and alias is not None:
                yield tree.source(alias), _dotted(tree, name)


def imported_from(tree: SourceTree, node: Node) -> Iterator[tuple[str, str]]:
    """Bound name and qualified name of each part of `from a import b, c as d`; relative ones begin with a dot."""
    module = node.child_by_field_name("module_name")
    if module is None:
        return
    prefix = "".join(_dotted(tree, module).split())
    joint = "" if prefix.endswith(".") else "."
    for child in node.children_by_field_name("name"):
        if child.type == "aliased_import":
            name, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
            if name is not None and alias is not None:
                yield tree.source(alias), f"{prefix}{joint}{_dotted(tree, name)}"
        else:
            name = _dotted(tree, child)
            yield name, f"{prefix}{joint}{name}"


def _dotted(tree: SourceTree, node: Node) -> str:
    return "".join(tree.source(node).split())


def targets(node: Node | None) -> Iterator[Node]:
    """The plain names that an assignment target binds."""
    if node is None:
        return
    stack = [node]
    while stack:
        current = stack.pop()
        if current.type == "identifier":
            yield current
        elif current.type not in {"attribute", "subscript", "call"}:
            stack.extend(current.named_children)


def assigned(node: Node) -> Node | None:
    """The value of an assignment; `a = b = value` nests to the right."""
    value: Node | None = node.child_by_field_name("right")
    while value is not None and value.type == "assignment":
        value = value.child_by_field_name("right")
    return value


def captures(pattern: Node) -> Iterator[Node]:
    """The names that a `case` pattern binds: plain names, not dotted ones, class names or keywords."""
    for node in walk(pattern, "dotted_name", "as_pattern", "splat_pattern"):
        if node.type == "as_pattern":
            alias = node.child_by_field_name("alias")
            if alias is not None and alias.type == "identifier":
                yield alias
        elif node.type == "splat_pattern":
            yield from (child for child in node.named_children if child.type == "identifier")
        elif node.named_child_count == 1 and (node.parent is None or node.parent.type != "class_pattern"):
            yield node


def paired(left: Node, right: Node) -> Iterator[tuple[Node, Node | None]]:
    """Each single target of an assignment with its own value where the shapes show it: `a, b = 1, 2`."""
    stack: list[tuple[Node, Node | None]] = [(left, right)]
    while stack:
        target, value = stack.pop()
        if target.type in {"pattern_list", "tuple_pattern", "list_pattern"}:
            targets = target.named_children
            values = _elements(value)
            if values is None or len(values) != len(targets):
                splat = any(item.type == "list_splat_pattern" for item in targets)
                values = None if splat or values is None or len(values) != len(targets) else values
            if values is not None and any(
                item.type in {"list_splat_pattern", "list_splat"} for item in (*targets, *values)
            ):
                values = None
            pairs = zip(targets, values or [None] * len(targets), strict=True)
            stack.extend(reversed(list(pairs)))
        elif target.type == "list_splat_pattern":
            stack.extend((child, None) for child in target.named_children)
        else:
            yield target, value


def _elements(node: Node | None) -> list[Node] | None:
    while node is not None and node.type == "parenthesized_expression":
        node = node.named_children[0] if node.named_children else None
    if node is None or node.type not in {"expression_list", "tuple", "list"}:
        return None
    return [child for child in node.named_children if child.type != "comment"]


def parameter_names(parameters: Node | None) -> Iterator[Node]:
    """The identifiers that a parameter list binds."""
    if parameters is None:
        return
    for child in parameters.named_children:
        current: Node | None = child
        while current is not None and current.type != "identifier":
            name = current.child_by_field_name("name")
            if name is None:
                name = next(
                    (
                        item
                        for item in current.named_children
                        if item.type in {"identifier", "list_splat_pattern", "dictionary_splat_pattern"}
                    ),
                    None,
                )
            current = name
        if current is not None:
            yield current
