"""Whether the cache of the GPU is emptied where a whole model is let go: a loop over models, folds or trials.

Emptying it in each step of a training loop gains nothing. Where a round of the loop makes a model of its own, or lets
one go, the memory of the last one is really handed back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from detour_lsp.source.bound_names import paired, targets
from detour_lsp.source.names import Module
from detour_lsp.source.objects import bases, definition_of
from detour_lsp.source.parsing import walk
from detour_lsp.source.spellings import same_name

_KINDS = (
    "model|net|network|pipe|pipeline|unet|vae|llm|transformer|trainer|learner|agent|policy|engine|ensemble|encoder"
    "|decoder"
)
#: What a model is called: `model`, `self.teacher_model`, `net2`, `model4ppl`; not `model_inputs`.
_HOLDER = re.compile(rf"(?i)(?:^|[._])(?:\w*_)?(?:{_KINDS})(?:_?\d\w*)?$")
#: What makes one: `load_model`, `AutoModel.from_pretrained`, `ResNet`; `model(x)` gives the output of one.
_FACTORY = re.compile(
    rf"(?:^|_)(?:load|build|create|make|get|init|setup|new|prepare|instantiate)\w*_(?:\w*_)?(?:{_KINDS})s?(?:$|_(?:from|for|and|by|on)_)"
    r"|^(?:from_pretrained|from_config|load_from_checkpoint|pipeline)$"
    rf"|^(?=[A-Z])\w*(?i:{_KINDS})(?:\d+|For[A-Z]\w*|LM\w*|V\d\w*)?$"
)
#: Methods that only modules have.
_MODULE_METHODS = frozenset(
    {"eval", "parameters", "named_parameters", "state_dict", "load_state_dict", "generate", "requires_grad_", "modules"}
)
#: How far above the call the model may be let go.
_STATEMENTS = 6
_HEIGHT = 4


def is_release(module: Module, node: Node) -> bool:
    """Whether the loop around a node makes a model in each round, or one is let go just before the node."""
    loop = module.loop_of(node)
    body = loop.child_by_field_name("body") if loop is not None else None
    for statement in body.named_children if body is not None else ():
        if any(_is_model(module, name, value) for name, value in _assigned(statement)):
            return True
    return any(_lets_go(module, statement) for statement in _before(module, node))


def _before(module: Module, node: Node) -> Iterator[Node]:
    """The statements in front of a node's own, nearest first, also of the block around an `if` that holds it."""
    statement = module.statement_of(node)
    for _ in range(_HEIGHT):
        current = statement.prev_named_sibling
        for _ in range(_STATEMENTS):
            if current is None:
                break
            yield current
            current = current.prev_named_sibling
        holder = statement.parent.parent if statement.parent is not None else None
        if holder is None or holder.type not in {"if_statement", "with_statement", "try_statement"}:
            return
        statement = holder


def _assigned(statement: Node) -> Iterator[tuple[Node, Node | None]]:
    """What a statement gives plain names; of several targets of one call, each."""
    for node in walk(statement, "assignment") if statement.type == "expression_statement" else ():
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            continue
        for target, value in paired(left, right):
            yield target, value if value is not None else right


def _is_model(module: Module, name: Node, value: Node | None) -> bool:
    """Whether a name is given a new model: `model = build()`, `m, tokenizer = load_model(...)`, `n = Net().cuda()`."""
    call = value
    while call is not None and call.type == "call":
        function = call.child_by_field_name("function")
        if function is None:
            return False
        made = definition_of(module, function)
        if made is not None and made.type == "class_definition":
            return any(same_name(base, "torch.nn.Module") for base in bases(module, made))
        if _FACTORY.search(module.tree.source(function).rpartition(".")[2]) is not None:
            return True
        inner = function.child_by_field_name("object") if function.type == "attribute" else None
        if inner is None or inner.type != "call":
            # `model = model.to(device)` makes none.
            same = module.tree.source(inner) == module.tree.source(name) if inner is not None else False
            return not same and _HOLDER.search(module.tree.source(name)) is not None
        call = inner
    return False


def _lets_go(module: Module, statement: Node) -> bool:
    """`del model`, `model = None`, `model.cpu()`, `model.to("cpu")`, `self.model = None`"""
    if statement.type == "delete_statement":
        return any(_is_held_model(module, child) for node in statement.named_children for child in _named(node))
    inner = (
        statement.named_children[0] if statement.type == "expression_statement" and statement.named_children else None
    )
    if inner is None:
        return False
    if inner.type == "assignment":
        left, right = inner.child_by_field_name("left"), inner.child_by_field_name("right")
        if left is None or right is None:
            return False
        gone = right.type == "none" or (right.type == "call" and _moves_away(module, right))
        return gone and any(_is_held_model(module, child) for child in _named(left))
    if inner.type == "call" and _moves_away(module, inner):
        function = inner.child_by_field_name("function")
        owner = function.child_by_field_name("object") if function is not None else None
        return owner is not None and _is_held_model(module, owner)
    return False


def _named(node: Node) -> Iterator[Node]:
    if node.type == "attribute":
        yield node
    else:
        yield from (child for child in (node, *node.named_children) if child.type == "attribute")
        yield from targets(node)


def _moves_away(module: Module, call: Node) -> bool:
    read = module.call(call)
    if read is None:
        return False
    if read.method == "cpu":
        return not read.arguments
    return read.method == "to" and [module.tree.source(part).strip("\"'") for part in read.arguments[:1]] == ["cpu"]


def _is_held_model(module: Module, node: Node) -> bool:
    """Whether a name is that of a model: by how it is called, made, or used."""
    text = module.tree.source(node)
    if _HOLDER.search(text) is not None:
        return True
    if node.type != "identifier":
        return False
    escaped = re.escape(text)
    for match in re.finditer(rf"(?<![\w.]){escaped}\s*(?:,[\w\s,]*)?=(?!=)\s*([\w.]+)\s*\(", module.text):
        if _FACTORY.search(match[1].rpartition(".")[2]) is not None:
            return True
    used = re.finditer(rf"(?<![\w.]){escaped}\.(\w+)\(", module.text)
    return any(match[1] in _MODULE_METHODS for match in used)
