"""One name for what libraries export under several: selectors name the public one, code may use any."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from functools import lru_cache
from typing import cast

#: Where a package keeps the thing, and the name that its documentation gives it. Longer prefixes first.
_PUBLIC: tuple[tuple[str, str], ...] = (
    ("torch.serialization.load", "torch.load"),
    ("torch.serialization.save", "torch.save"),
    ("torch.nn.parallel.distributed.DistributedDataParallel", "torch.nn.parallel.DistributedDataParallel"),
    ("torch.nn.parallel.data_parallel.DataParallel", "torch.nn.DataParallel"),
    ("torch.nn.parallel.DataParallel", "torch.nn.DataParallel"),
    ("torch.nn.modules.module.Module", "torch.nn.Module"),
    ("torch.nn.modules.Module", "torch.nn.Module"),
    ("torch.nn.utils.weight_norm.weight_norm", "torch.nn.utils.weight_norm"),
    ("torch.utils.data.dataloader.DataLoader", "torch.utils.data.DataLoader"),
    ("torch.utils.data.dataset.Dataset", "torch.utils.data.Dataset"),
    ("torch.autograd.anomaly_mode.", "torch.autograd."),
    ("torch.cuda.amp.autocast_mode.", "torch.cuda.amp."),
    ("torch.cuda.amp.grad_scaler.", "torch.cuda.amp."),
    ("torch.amp.autocast_mode.", "torch.amp."),
    ("torch.amp.grad_scaler.", "torch.amp."),
    ("torch.cpu.amp.autocast_mode.", "torch.cpu.amp."),
    ("torch.cuda.memory.", "torch.cuda."),
    ("torch.jit._script.", "torch.jit."),
    ("torch.jit._trace.", "torch.jit."),
    ("accelerate.utils.dataclasses.", "accelerate."),
    ("accelerate.utils.", "accelerate."),
    ("accelerate.accelerator.", "accelerate."),
    ("transformers.training_args.", "transformers."),
    ("transformers.trainer.", "transformers."),
    ("pytorch_lightning.", "lightning.pytorch."),
    ("lightning.pytorch.trainer.trainer.", "lightning.pytorch."),
    ("lightning.Trainer", "lightning.pytorch.Trainer"),
)


@lru_cache(maxsize=65536)
def public(name: str) -> str:
    """The documented name of a qualified name."""
    for prefix, replacement in _PUBLIC:
        if name.startswith(prefix) and (prefix.endswith(".") or name[len(prefix) :][:1] in {"", "."}):
            return public(replacement + name[len(prefix) :])
    return name


def same_name(one: str, other: str) -> bool:
    """Whether two qualified names are the same thing; `other` may be a pattern (`torch.nn.*Loss`)."""
    if "*" in other:
        return fnmatch.fnmatchcase(public(one), other)
    return one == other or public(one) == public(other)


def names_of(value: object) -> tuple[str, ...]:
    """A selector's head: one name or a list of alternatives."""
    if isinstance(value, str):
        return (value,)
    return tuple(str(item) for item in cast("Sequence[object]", value)) if isinstance(value, (list, tuple)) else ()


def spellings(name: str) -> frozenset[str]:
    """The qualified names of which `public` makes the same as of this one, through one place of its package."""
    own = public(name)
    return frozenset(
        {name, own}
        | {
            prefix + own[len(replacement) :]
            for prefix, replacement in _PUBLIC
            if own.startswith(replacement) and (replacement.endswith(".") or own[len(replacement) :][:1] in {"", "."})
        }
    )
