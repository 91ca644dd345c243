"""Where code stands: in a loop, a test, behind a version check or a user's flag, and whether a setting is put back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tree_sitter import Node

from detour_lsp.source.names import Module
from detour_lsp.source.parsing import walk
from detour_lsp.source.paths import is_test_path
from detour_lsp.source.release import is_release
from detour_lsp.source.structure import ARMS

#: What a condition looks like that asks which version or feature is there.
_VERSION = re.compile(
    r"__version__|\bhasattr\s*\(|find_spec|\bTYPE_CHECKING\b|(?i:version|torch_?\d|is_torch_|torch_(?:ge|gt|le|lt|major|minor)\b"
    r"|torch_(?:greater|less|newer|older|at_least|above|below|min))"
)
#: A `with` that waits for the warning or the error.
_EXPECTED = re.compile(r"\bpytest\.(?:warns|raises|deprecated_call)\b|\bassert(?:Warns|Raises)")
_FLAG_HOLDER = re.compile(
    r"(?i)^(?:_?(?:args?|opts?|options?|cfg|conf|config|configs|configuration|flags|hparams|hps|params|settings|cli"
    r"|namespace|parsed|self|cls|[a-z_]*_(?:args|config|cfg|opts?|options|flags|settings)))$"
)
_FLAG_NAME = re.compile(r"(?i)debug|anomal|verbose|detect_?nan|profil")
_FLAG_READ = re.compile(r"\bos\.(?:environ|getenv)\b|\benviron\b|\bgetenv\b")
_ENVIRONMENT_BACK = re.compile(r"\bos\.environ(?:\.update\(\s*(\w+)\s*\)|\s*=\s*(\w+)\s*$)", re.MULTILINE)
_UNDOING = frozenset(
    {"__exit__", "__aexit__", "tearDown", "tearDownClass", "teardown_method", "teardown_class", "teardown", "stop",
     "close", "restore", "disable", "exit", "cleanup"}
)  # fmt: skip
_IFS = frozenset({"if_statement", "elif_clause"})
_HEIGHT = 40
_IN_WITH_ITEM = frozenset(
    {"call", "keyword_argument", "argument_list", "as_pattern", "pair", "dictionary", "dictionary_splat"}
)
_GUARDS = frozenset({"AttributeError", "ImportError", "ModuleNotFoundError", "TypeError"})


def inside(module: Module, node: Node, context: str) -> bool:
    """Whether the node stands in a `loop`, `function`, `class`, `module`, `test`, `main_guard`, `flag`, `with`, ..."""
    match context:
        case "loop":
            return module.loop_of(node) is not None
        case "function":
            return module.function_of(node) is not None
        case "class":
            return module.class_of(node) is not None
        case "module":
            return module.function_of(node) is None
        case "test":
            return is_test(module, node)
        case "main_guard":
            return any("__name__" in text for text, _ in _conditions(module, node))
        case "flag":
            return any(_is_flag(module, condition) for _, condition in _conditions(module, node))
        case "handler":
            return any(entry.type == "except_clause" for entry in module.skeleton.around(node))
        case "with":
            return _is_with_item(node)
        case "released":
            return is_release(module, node)
        case _ if context.startswith("method:"):
            return context.removeprefix("method:") in _function_names(module, node)
        case _:
            return False


def is_test(module: Module, node: Node | None = None) -> bool:
    """Whether a file is a test by its path, or a node stands in a test by pytest's names."""
    if is_test_path(module.path):
        return True
    if node is None:
        return False
    for entry in module.skeleton.around(node):
        if entry.type in {"function_definition", "class_definition"}:
            name = entry.node.child_by_field_name("name")
            text = module.tree.source(name) if name is not None else ""
            if text.startswith("test_" if entry.type == "function_definition" else "Test") or text == "test":
                return True
    return False


def _function_names(module: Module, node: Node) -> Iterator[str]:
    for entry in module.skeleton.around(node):
        if entry.type == "function_definition":
            name = entry.node.child_by_field_name("name")
            if name is not None:
                yield module.tree.source(name)


def _is_with_item(node: Node) -> bool:
    current: Node | None = node
    while current is not None and current.type in _IN_WITH_ITEM:
        current = current.parent
    return current is not None and current.type == "with_item"


def _conditions(module: Module, node: Node) -> Iterator[tuple[str, Node]]:
    """The conditions on which the node depends, with their text; both arms of an `if` depend."""
    child, current = node, node.parent
    for _ in range(_HEIGHT):
        # Conditions inside the statement: `a if c else b`, `c and a`.
        if current is None or current.type in {"block", "module"}:
            break
        condition = _condition(current, child)
        if condition is not None:
            yield module.tree.source(condition), condition
        child, current = current, current.parent
    for entry in module.skeleton.around(node):
        condition = entry.node.child_by_field_name("condition") if entry.type in _IFS else None
        if condition is not None and not (condition.start_byte <= node.start_byte < condition.end_byte):
            yield module.tree.source(condition), condition


def _condition(node: Node, child: Node) -> Node | None:
    if node.type == "conditional_expression":
        parts = [part for part in node.named_children if part.type != "comment"]
        condition = parts[1] if len(parts) == 3 else None
    elif node.type == "boolean_operator":
        condition = node.child_by_field_name("left")
    else:
        return None
    return condition if condition is not None and condition.id != child.id else None


def guarded(module: Module, node: Node) -> bool:
    """Whether the node runs only after a check that it exists: a version check, `hasattr`, `except ImportError`."""
    for text, condition in _conditions(module, node):
        if _asks_version(module, text, condition):
            return True
    around = module.skeleton.around(node)
    for position, entry in enumerate(around):
        if entry.type == "except_clause":
            caught = _caught(module, entry.node)
            if not caught or caught & (_GUARDS | {"Exception", "RuntimeError"}):
                return True
        elif entry.type == "try_statement" and not (position and around[position - 1].type == "except_clause"):
            handlers = [child for child in entry.node.named_children if child.type == "except_clause"]
            body = entry.node.child_by_field_name("body")
            in_body = body is not None and body.start_byte <= node.start_byte and node.end_byte <= body.end_byte
            if in_body and any("AttributeError" in _caught(module, handler) for handler in handlers):
                return True
    return _is_expected(module, node) or _left_before(module, node)


def _is_expected(module: Module, node: Node) -> bool:
    """Whether a `with pytest.warns(...)` around the node waits for what it does."""
    current = node.parent
    while current is not None and current.type not in {"function_definition", "class_definition", "module"}:
        if current.type == "with_statement":
            body = current.child_by_field_name("body")
            end = module.tree.start(body) if body is not None else module.tree.end(current)
            if _EXPECTED.search(module.text, module.tree.start(current), end) is not None:
                return True
        current = current.parent
    return False


def _caught(module: Module, handler: Node) -> set[str]:
    value = handler.child_by_field_name("value")
    if value is None:
        return set()
    return {module.tree.source(name) for name in walk(value, "identifier")}


def _asks_version(module: Module, text: str, condition: Node) -> bool:
    if _VERSION.search(text):
        return True
    for name in walk(condition, "identifier"):
        found = module.scopes.find(module.tree.source(name), name)
        if found is None:
            continue
        _, bindings = found
        if any(binding.fallback for binding in bindings):
            # `HAS_AMP = True` in a `try`, False in its `except`.
            return True
        values = [binding.value for binding in bindings if binding.value is not None and binding.kind == "value"]
        if any(_VERSION.search(module.tree.source(value)) for value in values):
            return True
    return False


def _left_before(module: Module, node: Node) -> bool:
    """Whether an earlier statement of the function returns or raises on a version check."""
    function = module.function_of(node)
    body = function.child_by_field_name("body") if function is not None else None
    for statement in body.named_children if body is not None else ():
        if statement.start_byte >= node.start_byte:
            break
        if statement.type != "if_statement":
            continue
        condition, branch = statement.child_by_field_name("condition"), statement.child_by_field_name("consequence")
        if condition is None or branch is None or not branch.named_children:
            continue
        leaves = branch.named_children[-1].type in {"return_statement", "raise_statement"}
        if leaves and _VERSION.search(module.tree.source(condition)):
            return True
    return False


def _is_flag(module: Module, condition: Node) -> bool:
    """Whether a condition asks what the user wants: arguments, configuration, parameters, the environment."""
    text = module.tree.source(condition)
    if _FLAG_NAME.search(text) or _FLAG_READ.search(text):
        return True
    for node in walk(condition, "identifier"):
        name = module.tree.source(node)
        if _FLAG_HOLDER.match(name):
            return True
        found = module.scopes.find(name, node)
        for binding in found[1] if found is not None else ():
            if binding.kind == "parameter":
                return True
            if binding.value is not None and _holds_flag(module, binding.value):
                return True
    return False


def _holds_flag(module: Module, value: Node) -> bool:
    text = module.tree.source(value)
    if _FLAG_READ.search(text):
        return True
    return any(_FLAG_HOLDER.match(module.tree.source(name)) is not None for name in walk(value, "identifier"))


def runs_before(module: Module, earlier: Node, later: Node) -> bool:
    """Whether code at `earlier` has surely been passed when `later` runs: above it, in the same function or outside."""
    if earlier.end_byte > later.start_byte:
        return False
    inner = {entry.index for entry in module.skeleton.around(later)}
    for entry in module.skeleton.around(earlier):
        if entry.type in {"function_definition", "lambda"} and entry.index not in inner:
            return False
        if entry.type in {"elif_clause", "else_clause", "except_clause"} and entry.index not in inner:
            # In another branch, or in one that need not have run.
            return False
    return True


def environment_comes_back(module: Module, node: Node, function: Node | None) -> bool:
    """Whether the whole environment is put back further down: `os.environ.update(saved)`, `os.environ = saved`."""
    holder = function or module.tree.root
    start, end = module.tree.start(holder), module.tree.end(holder)
    place = module.tree.end(node)
    for match in _ENVIRONMENT_BACK.finditer(module.text, place, end):
        kept = re.compile(rf"\b{match[1] or match[2]}\s*=\s*(?:dict\(|copy\.(?:deep)?copy\(|\{{\*\*)?\s*os\.environ\b")
        if kept.search(module.text, start, place) is not None:
            return True
    return False


def is_undoing(module: Module, function: Node | None, other: Node | None) -> bool:
    """Whether `other` is the method of the same class that undoes what `function` does."""
    if function is None or other is None or function.id == other.id:
        return False
    name = other.child_by_field_name("name")
    if name is None or module.tree.source(name) not in _UNDOING:
        return False
    ours, theirs = module.class_of(function), module.class_of(other)
    return ours is not None and theirs is not None and ours.id == theirs.id


def exclusive(module: Module, one: Node, other: Node) -> bool:
    """Whether two nodes stand in different branches of one `if`, so that only one of them runs."""
    ours, theirs = module.skeleton.around(one), module.skeleton.around(other)
    shared = {entry.index for entry in ours} & {entry.index for entry in theirs}
    for first in ours:
        if first.index in shared and first.type == "if_statement":
            arm = next((entry.index for entry in ours if entry.parent == first.index and entry.type in ARMS), None)
            other_arm = next(
                (entry.index for entry in theirs if entry.parent == first.index and entry.type in ARMS), None
            )
            if arm != other_arm:
                return True
    return False


def first_before(module: Module, nodes: Iterable[Node], place: Node) -> Node | None:
    """The first of the nodes that has surely run before the place."""
    return next((node for node in nodes if runs_before(module, node, place)), None)
