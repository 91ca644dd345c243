"""Logs made from a seed: what the scanning benchmarks read. Same seed and size, same bytes, on every machine.

`few` is a healthy training log with an error now and then; `many` has errors all over; `realistic` is `few` at length.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

_MODULES = ("trainer", "data", "model", "optim", "engine", "dist", "hooks", "ckpt")
_SENTENCES = (
    "loading checkpoint shards resumed from step saved model weights to output directory tokenizer vocabulary size set",
    "using device mesh with data parallel degree gradient accumulation steps warmup cosine schedule rate decay",
    "validation started finished epoch batch samples per second tokens throughput memory allocated reserved cache",
    "worker started prefetch queue depth pinned buffers compile cache hit miss autotune kernel profile written",
)
_WORDS = " ".join(_SENTENCES).split()
_SHARES = (42, 20, 10, 10, 8, 3, 1, 6)


class _Run:
    """A run in which nothing is wrong."""

    def __init__(self, numbers: random.Random) -> None:
        self.numbers = numbers
        self.step = 0

    def line(self) -> str:
        self.step += 1
        kinds = (self.rank, self.metrics, self.bar, self.coloured, self.worker, self.nccl, self.warning, self.logger)
        return self.numbers.choices(kinds, _SHARES)[0]()

    @property
    def stamp(self) -> str:
        step = self.step
        day, hour, minute = 1 + step // 90_000 % 28, step // 3600 % 24, step // 60 % 60
        return f"2026-11-{day:02d} {hour:02d}:{minute:02d}:{step % 60:02d},{step * 37 % 1000:03d}"

    @property
    def loss(self) -> float:
        return 2.5 / (1 + self.step / 5e4) + self.numbers.random() * 0.05

    def sentence(self) -> str:
        return " ".join(self.numbers.choices(_WORDS, k=self.numbers.randrange(6, 16)))

    def rank(self) -> str:
        draw = self.numbers.randrange
        module = self.numbers.choice(_MODULES)
        return (
            f"[rank{draw(8)}]: {self.stamp} INFO {module}.py:{draw(20, 900)}] step {self.step} loss {self.loss:.4f} "
            f"lr {3e-4 / (1 + self.step / 1e5):.3e} grad_norm {self.numbers.random() * 2:.3f} "
            f"tok/s {draw(30_000, 90_000)} mem {draw(20, 75)}.{draw(10)}GiB"
        )

    def metrics(self) -> str:
        return (
            f'{{"step": {self.step}, "loss": {self.loss:.6f}, "lr": {3e-4 / (1 + self.step / 1e5):.8f}, '
            f'"epoch": {self.step / 1e4:.3f}, "grad_norm": {self.numbers.random() * 2:.4f}, '
            f'"time": {self.step * 0.31:.2f}}}'
        )

    def bar(self) -> str:
        total = self.numbers.choice((390, 1000, 2500))
        first = self.numbers.randrange(total - 12)
        return "".join(
            f"\rEpoch {self.step // 1000}: {100 * done // total:3d}%|{'█' * (20 * done // total):<20}| {done}/{total} "
            f"[{done // 60:02d}:{done % 60:02d}<03:12, {self.numbers.random() * 9:.2f}it/s, loss={self.loss:.3f}]"
            for done in range(first, first + 12)
        )

    def coloured(self) -> str:
        colour = self.numbers.choice((32, 33, 34, 36))
        return f"\x1b[{colour}m{self.stamp}\x1b[0m | \x1b[1mINFO\x1b[0m     | {self.sentence()}"

    def worker(self) -> str:
        return f"(worker pid={1000 + self.numbers.randrange(64)}) {self.sentence()}"

    def nccl(self) -> str:
        draw = self.numbers.randrange
        return (
            f"node{draw(4)}:{2000 + draw(8)}:{3000 + self.step % 500} [{draw(8)}] "
            f"NCCL INFO Channel {draw(24):02d}/24 : 0 1 2 3 4 5 6 7 via P2P/CUMEM"
        )

    def warning(self) -> str:
        return "/opt/venv/lib/python3.11/site-packages/torchvision/io/image.py:13: UserWarning: optional part is off"

    def logger(self) -> str:
        return f"{self.stamp} - {self.numbers.choice(_MODULES)} - INFO - {self.sentence()}"


def failures(examples: Sequence[str], random_numbers: random.Random) -> Iterator[list[str]]:
    """Tracebacks that end in one of the examples each, for ever."""
    while True:
        prefix = random_numbers.choice(("", "", f"[rank{random_numbers.randrange(8)}]: "))
        example = random_numbers.choice(examples)
        line = random_numbers.randrange(10, 400)
        lines = [
            "Traceback (most recent call last):",
            f'  File "/home/user/project/train_{random_numbers.randrange(50)}.py", line {line}, in main',
            "    loss = step(model, batch)",
            f'  File "/home/user/project/engine.py", line {line + 7}, in step',
            "    return model(batch).loss",
            '  File "/opt/venv/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1775, in _call_impl',
            "    return self._call_impl(*args, **kwargs)",
            *example.split("\n"),
        ]
        yield [prefix + text for text in lines]


def write_log(path: Path, size: int, examples: Sequence[str], *, every: int, seed: int = 20261130) -> None:
    """Write `size` bytes, a failure about every `every` lines; long logs repeat 48 MB, with other failures."""
    random_numbers = random.Random(seed)
    healthy = _Run(random_numbers)
    failing = failures(examples, random_numbers)
    stretch: list[bytes] = []
    stretch_size = 0
    written = 0
    with path.open("wb") as file:
        while written < size:
            if stretch_size < min(size, 48_000_000):
                block = "".join(f"{healthy.line()}\n" for _ in range(every)).encode()
                stretch.append(block)
                stretch_size += len(block)
            else:
                block = random_numbers.choice(stretch)
            block += "".join(f"{line}\n" for line in next(failing)).encode()
            written += file.write(block[: size - written])
