"""Whether something in a file comes too late: after an import or a call that has already read it.

`CUDA_VISIBLE_DEVICES` is read when CUDA starts, allocator options when the allocator does; setting them afterwards
changes nothing, and nothing says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from tree_sitter import Node

from detour_lsp.source import context
from detour_lsp.source.arguments import arguments_match
from detour_lsp.source.calls import Call
from detour_lsp.source.constants import Known
from detour_lsp.source.names import Module
from detour_lsp.source.objects import origin_of
from detour_lsp.source.spellings import names_of, same_name

#: Functions of `torch.cuda` that do not start CUDA (torch/cuda/__init__.py: no `_lazy_init`, or queued until it runs).
_LAZY = frozenset(
    f"torch.cuda.{name}"
    for name in (
        "is_initialized", "manual_seed", "manual_seed_all", "seed", "seed_all", "device_count", "is_built",
        "set_allocator_settings", "CUDAGraph", "Stream", "Event", "graph", "amp.autocast", "amp.GradScaler",
        "amp.custom_fwd", "amp.custom_bwd", "nvtx.range", "device", "empty_cache", "set_per_process_memory_fraction",
    )
)  # fmt: skip
_DEVICE = ("cuda", "hip")


def comes_too_late(module: Module, node: Node, selector: Mapping[str, Any]) -> bool:
    """Whether the selector's `after_import` and `after_call`, where it has them, have surely run before the node."""
    packages = names_of(selector.get("after_import", ()))
    if packages and context.first_before(module, _imports(module, packages), node) is None:
        return False
    wanted: object = selector.get("after_call")
    if wanted is None:
        return True
    wanted_list = cast("list[object]", wanted) if isinstance(wanted, list) else [wanted]
    for call in module.calls():
        if call.node.start_byte >= node.start_byte:
            break
        if any(_is_wanted(module, call, item) for item in wanted_list) and (
            context.runs_before(module, call.node, node)
        ):
            return True
    return False


def _imports(module: Module, packages: tuple[str, ...]) -> Iterator[Node]:
    for entry in module.skeleton.entries:
        if entry.type == "import_from_statement":
            name = entry.node.child_by_field_name("module_name")
            roots = [module.tree.source(name)] if name is not None else []
        elif entry.type == "import_statement":
            roots = [
                module.tree.source(child.child_by_field_name("name") or child) for child in entry.node.named_children
            ]
        else:
            continue
        if any(root == package or root.startswith(f"{package}.") for root in roots for package in packages):
            yield entry.node


def _is_wanted(module: Module, call: Call, wanted: object) -> bool:
    if isinstance(wanted, Mapping):
        clause = cast("Mapping[str, Any]", wanted)
        names = names_of(clause.get("call", ()))
        named = any(
            name == "*" or (name.startswith(".") and call.method == name[1:]) or _below(call.name, name)
            for name in names
        )
        return named and arguments_match(module, call, clause)
    name = str(wanted)
    if name.startswith("."):
        return call.method == name[1:] and call.name is None
    if name == "torch.cuda" and _starts_cuda(module, call):
        return True
    return _below(call.name, name) and call.name not in _LAZY


def _below(name: str | None, prefix: str) -> bool:
    return name is not None and (same_name(name, prefix) or name.startswith(f"{prefix}."))


def _starts_cuda(module: Module, call: Call) -> bool:
    """Whether a call puts something on a CUDA device: `.cuda()`, `.to("cuda")`, `device="cuda:0"`."""
    if call.name is None and call.method == "cuda" and call.receiver is not None:
        return True
    if call.name is None and call.method == "to" and any(_is_cuda(module, part) for part in call.arguments[:1]):
        return True
    device = call.keywords.get("device")
    if device is None or not _is_cuda(module, device.value):
        return False
    return call.name is None or call.name.startswith("torch.")


def _is_cuda(module: Module, node: Node) -> bool:
    value = module.value(node)
    if isinstance(value, Known):
        return isinstance(value.value, str) and value.value.startswith(_DEVICE)
    origin = origin_of(module, node)
    if origin is None or origin.name != "torch.device" or not origin.arguments:
        return False
    first = module.value(origin.arguments[0])
    return isinstance(first, Known) and isinstance(first.value, str) and first.value.startswith(_DEVICE)
