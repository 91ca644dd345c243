"""`if_to_where`: an `if` on a tensor becomes `torch.where`, which compiles, traces and maps."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tree_sitter import Node

from detour_lsp.knowledge.record import Clause
from detour_lsp.source.edits.code import adapted
from detour_lsp.source.edits.site import Site, fits, normal, tight
from detour_lsp.source.finding import TextEdit
from detour_lsp.source.parsing import walk
from detour_lsp.source.templates import Names, Refused

#: Tensor methods and functions whose result is already a truth value.
_BOOLEAN = re.compile(
    r"(any|all|isnan|isinf|isfinite|isclose|is_nonzero|eq|ne|lt|le|gt|ge|logical_\w+|bool|allclose|equal)$"
)
_COMPARING = frozenset({"<", ">", "<=", ">=", "==", "!="})


@dataclass(frozen=True, slots=True)
class _Choice:
    """What one branch does: `return value`, or `target = value`."""

    target: str
    value: str


def if_to_where(site: Site, edit: Clause, names: Names) -> list[TextEdit]:  # noqa: ARG001
    """Rewrite the choice at the place."""
    node = site.node
    if node.type == "if_statement":
        return _statement(site, node)
    if node.type == "elif_clause":
        raise Refused("the branch belongs to a chain of elif")
    found = list(walk(node, "conditional_expression"))
    if not found:
        if any(re.search(r"\.where$|^where$", site.source(call)) for call in _functions(node)):
            return []
        raise Refused("there is no choice between two values at the place")
    inner = found[0]
    value, condition, other = inner.named_children[:3]
    if any(True for _ in walk(value, "conditional_expression")) or any(
        True for _ in walk(other, "conditional_expression")
    ):
        raise Refused("the choice is nested")
    text, extra = _where(site, condition, site.source(value), site.source(other))
    return [*extra, site.replace(inner, fits(inner, text))]


def _functions(node: Node) -> list[Node]:
    return [f for call in walk(node, "call") if (f := call.child_by_field_name("function")) is not None]


def _statement(site: Site, node: Node) -> list[TextEdit]:
    condition, consequence = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
    alternatives = node.children_by_field_name("alternative")
    if condition is None or consequence is None:
        raise Refused("the if is not complete")
    if len(alternatives) > 1 or (alternatives and alternatives[0].type != "else_clause"):
        raise Refused("the branch belongs to a chain of elif")
    first = _choice(site, consequence)
    start, end = site.span(node)
    if alternatives:
        body = alternatives[0].child_by_field_name("body")
        second = _choice(site, body) if body is not None else None
    else:
        second, end = _without_else(site, node, first, end)
    if second is None or first.target != second.target:
        raise Refused("the two branches do not choose one value")
    text, extra = _where(site, condition, first.value, second.value)
    lead = "return " if first.target == "return" else f"{first.target} = "
    comments = [site.source(comment) for comment in walk(node, "comment")]
    if end > site.span(node)[1]:
        between = site.draft.source(site.span(node)[1], end)
        comments += [line.strip() for line in between.splitlines() if line.strip().startswith("#")]
    above = "".join(f"{comment}{site.draft.newline}{site.indent(start)}" for comment in comments)
    return [*extra, TextEdit(start, end, f"{above}{lead}{text}")]


def _without_else(site: Site, node: Node, first: _Choice, end: int) -> tuple[_Choice, int]:
    """What happens where the `if` does not run: the `return` behind it, or the value that the name had."""
    if first.target != "return":
        _refuse_unbound(site, node, first.target)
        return _Choice(first.target, first.target), end
    following = node.next_named_sibling
    while following is not None and following.type == "comment":
        following = following.next_named_sibling
    if following is None or following.type != "return_statement":
        raise Refused("no other value is returned behind the if")
    return _simple(site, following), site.span(following)[1]


def _refuse_unbound(site: Site, node: Node, target: str) -> None:
    function = site.draft.module.function_of(node)
    place = function if function is not None else site.draft.module.tree.root
    before = site.draft.source(site.span(place)[0], site.span(node)[0])
    if not re.search(rf"(?<![\w.]){re.escape(target)}(?!\w)", before):
        raise Refused(f"{target} has no value where the if does not run")


def _choice(site: Site, block: Node) -> _Choice:
    statements = [child for child in block.named_children if child.type != "comment"]
    if len(statements) != 1:
        raise Refused("a branch does more than choose a value")
    return _simple(site, statements[0])


def _simple(site: Site, statement: Node) -> _Choice:
    inner = statement.named_children[0] if statement.type == "expression_statement" else statement
    if inner.type == "return_statement":
        values = [child for child in inner.named_children if child.type != "comment"]
        if len(values) == 1 and values[0].type not in ("expression_list", "tuple", "none"):
            return _checked(site, _Choice("return", site.source(values[0])), values[0])
        raise Refused("a branch does not return one tensor")
    left, right = inner.child_by_field_name("left"), inner.child_by_field_name("right")
    if left is None or right is None or left.type not in ("identifier", "attribute", "subscript"):
        raise Refused("a branch does more than choose a value")
    target = site.source(left)
    if inner.type == "augmented_assignment":
        operator = inner.child_by_field_name("operator")
        sign = site.source(operator)[:-1] if operator is not None else ""
        return _checked(
            site,
            _Choice(
                target,
                f"{target} {sign} {site.source(right) if right.type == 'integer' else tight(site.source(right))}",
            ),
            right,
        )
    if inner.type != "assignment" or right.type in ("expression_list", "tuple", "assignment"):
        raise Refused("a branch does more than choose a value")
    return _checked(site, _Choice(target, site.source(right)), right)


def _checked(site: Site, choice: _Choice, value: Node) -> _Choice:
    """Both values will be computed, so neither may do anything else."""
    for function in _functions(value):
        name = site.source(function).rpartition(".")[2]
        if name in ("print", "append", "extend", "step", "backward", "item") or (
            name.endswith("_") and not name.startswith("_")
        ):
            raise Refused(f"a branch calls {name}(), and with torch.where both branches run")
    if value.type == "await" or any(True for _ in walk(value, "yield", "named_expression")):
        raise Refused("a branch does more than choose a value")
    return choice


def _where(site: Site, condition: Node, first: str, second: str) -> tuple[str, list[TextEdit]]:
    text = f"torch.where({_truth(site, condition)}, "
    code, extra = adapted(site, f"{text}_1_, _2_)")
    code = code.replace("_1_", _one_line(first)).replace("_2_", _one_line(second))
    return code, extra


def _one_line(source: str) -> str:
    return source if "\n" not in source or source[:1] in "([{" else f"({source})"


def _truth(site: Site, condition: Node) -> str:
    """The condition as a tensor of truth values."""
    source = site.source(condition)
    match condition.type:
        case "parenthesized_expression":
            inner = next((child for child in condition.named_children if child.type != "comment"), None)
            return _truth(site, inner) if inner is not None else source
        case "comparison_operator":
            signs = {child.type for child in condition.children if not child.is_named}
            if not signs <= _COMPARING or condition.named_child_count != 2:
                raise Refused("the condition is no comparison of tensors")
            return source
        case "not_operator":
            inner = condition.child_by_field_name("argument")
            return f"~({_truth(site, inner)})" if inner is not None else source
        case "boolean_operator":
            left, right = condition.child_by_field_name("left"), condition.child_by_field_name("right")
            operator = condition.child_by_field_name("operator")
            if left is None or right is None or operator is None:
                raise Refused("the condition is not complete")
            sign = "&" if operator.type == "and" else "|"
            return f"({_truth(site, left)}) {sign} ({_truth(site, right)})"
        case "call":
            function = condition.child_by_field_name("function")
            name = site.source(function) if function is not None else ""
            if name == "bool" or name.endswith(".item"):
                raise Refused(f"{name}() makes a Python value of the condition")
            return source if _BOOLEAN.search(name) else f"{normal(source) if chr(10) in source else source} != 0"
        case "identifier" | "attribute" | "subscript" | "binary_operator" | "unary_operator":
            return f"{tight(source)} != 0"
        case _:
            raise Refused("the condition is no comparison of tensors")
