"""Code that a record writes, as the file writes it: `torch.no_grad()` is `th.no_grad()` after `import torch as th`.

A record names things by their full names. The file may have imported them otherwise, or not at all.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from tree_sitter import Node, Parser

from detour_lsp.source.edits import imports
from detour_lsp.source.edits.imports import Wanted
from detour_lsp.source.edits.site import Site
from detour_lsp.source.finding import TextEdit
from detour_lsp.source.names import Module
from detour_lsp.source.parsing import LANGUAGE, walk

#: Packages whose names in a record's code mean the package, with the name that people give them when they import them.
PACKAGES = {
    "torch": "torch", "numpy": "numpy", "np": "numpy", "torchvision": "torchvision", "torchaudio": "torchaudio",
    "transformers": "transformers", "accelerate": "accelerate", "safetensors": "safetensors", "functorch": "functorch",
    "lightning": "lightning", "pandas": "pandas",
}  # fmt: skip
USUAL = {"numpy": "np", "pandas": "pd"}
#: Modules of the standard library are only meant where the code uses them as modules; these names never are variables.
_STANDARD = frozenset(sys.stdlib_module_names) - {
    "code",
    "select",
    "test",
    "this",
    "symbol",
    "token",
    "copy",
    "queue",
    "types",
}
#: Submodules of torch that `import torch` does not load.
EXPLICIT = (
    "torch._functorch.config", "torch._inductor.config", "torch.distributed.fsdp", "torch.distributed.checkpoint",
    "torch.utils.tensorboard", "torch.utils.cpp_extension", "torch.utils.mobile_optimizer", "torch.ao.quantization",
    "torch.nn.attention", "torch.export", "torch.distributed.elastic", "torch.utils.bottleneck", "numpy.random",
)  # fmt: skip


def adapted(site: Site, code: str, *, statements: bool = False) -> tuple[str, list[TextEdit]]:
    """The code in the file's own spelling at the place, and the edits that import what it still needs."""
    wrapped = code
    # A header (`with torch.no_grad():`) is no code without a body.
    if statements and code.rstrip().endswith(":"):
        wrapped = f"{code.rstrip()} pass"
    data = wrapped.encode("utf-8", "surrogatepass")
    root = Parser(LANGUAGE).parse(data).root_node
    result = bytearray(data)
    wanted: list[Wanted] = []
    for node in reversed(list(_chains(root))):
        qualified = data[node.start_byte : node.end_byte].decode()
        written = _spelt(site, qualified, wanted)
        if written is not None:
            result[node.start_byte : node.end_byte] = written.encode()
    text = result.decode("utf-8", "surrogatepass")
    if wrapped is not code:
        text = text[: -len(" pass")]
    return text, imports.add(site, list(reversed(wanted)))


def _chains(root: Node) -> list[Node]:
    """The dotted names of the code, whole (`torch.nn.Linear`, not `torch.nn`), without keywords and strings."""
    found: list[Node] = []
    covered = -1
    for node in walk(root, "attribute", "identifier"):
        if node.start_byte < covered:
            continue
        text = (node.text or b"").decode("utf-8", "replace")
        if not re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", text):
            continue
        parent = node.parent
        if parent is not None and parent.type == "keyword_argument" and node == parent.child_by_field_name("name"):
            continue
        if parent is not None and parent.type == "attribute" and node == parent.child_by_field_name("attribute"):
            continue
        covered = node.end_byte
        found.append(node)
    return found


def _spelt(site: Site, written: str, wanted: list[Wanted]) -> str | None:
    root, _, rest = written.partition(".")
    package = PACKAGES.get(root) or (root if rest and root in _STANDARD else None)
    if package is None:
        return None
    module = site.draft.module
    visible = module.visible(root, site.node)
    if visible is not None and visible != package and not visible.startswith(f"{package}."):
        # The file's own meaning of the name: the code was made from the file's text.
        return None
    if visible is None and module.bound(root, site.node):
        # A variable of the file that is called like a module (`sched`, `random`).
        return None
    qualified = f"{package}.{rest}" if rest else package
    explicit = next((name for name in EXPLICIT if qualified == name or qualified.startswith(f"{name}.")), None)
    if explicit is not None and _spelling(module, explicit, site.node) is None:
        wanted.append(Wanted(explicit))
        return qualified
    spelling = _spelling(module, qualified, site.node)
    if spelling is not None:
        return spelling
    usual = USUAL.get(package, "")
    wanted.append(Wanted(package, "", usual))
    return f"{usual or package}.{rest}" if rest else usual or package


def _spelling(module: Module, qualified: str, node: Node) -> str | None:
    """How `qualified` can be written at the node's place with the imports that are there (`nn.Linear`), or None."""
    best: str | None = None
    for name in _importable(module, node):
        meaning = module.visible(name, node)
        if meaning is None or not (qualified == meaning or qualified.startswith(f"{meaning}.")):
            continue
        spelled = name + qualified[len(meaning) :]
        if best is None or spelled.count(".") < best.count("."):
            best = spelled
    return best


def _importable(module: Module, node: Node) -> Iterator[str]:
    scope = module.scopes.scope_of(node)
    while True:
        for name, bindings in scope.bindings.items():
            if any(binding.kind == "import" for binding in bindings):
                yield name
        if scope.parent is None:
            return
        scope = scope.parent
