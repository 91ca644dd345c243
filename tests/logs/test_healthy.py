# ruff: noqa: E501 - lines of logs are as long as they are
"""Texts with nothing to explain, and words of errors that are none: silence, with Detour's own records."""

from __future__ import annotations

import random

import pytest

from detour_lsp.knowledge.compiled import compile_knowledge
from detour_lsp.knowledge.loading import load
from detour_lsp.logs.harmless import is_harmless
from detour_lsp.logs.scan import Scanner


@pytest.fixture(scope="module")
def real() -> Scanner:
    return Scanner(compile_knowledge(load()))


def training_log(lines: int) -> str:
    chooser = random.Random(7)
    out = [
        "Loading checkpoint shards: 100%|██████████| 4/4 [00:11<00:00,  2.9s/it]",
        "torch 2.6.0+cu124 on 8 x NVIDIA H100 80GB",
    ]
    loss = 11.2
    for step in range(lines):
        loss = loss * 0.9995 + chooser.random() * 0.002
        kind = step % 7
        if kind < 3:
            out.append(
                f"[rank{step % 8}]: step {step:>6} | loss {loss:.4f} | grad norm {chooser.random():.3f} "
                f"| lr 3.0e-04 | {chooser.randint(90, 99)}k tok/s"
            )
        elif kind == 3:
            out.append(
                f'{{"step": {step}, "loss": {loss:.5f}, "error_rate": {chooser.random():.4f}, "memory_allocated": "61.2 GiB"}}'
            )
        elif kind == 4:
            out.append(
                f"2025-05-05 10:{step // 60 % 60:02}:{step % 60:02},123 - trainer - INFO - saved checkpoint to"
                f" /ckpt/{step}.pt (0 errors)"
            )
        elif kind == 5:
            out.append(
                f"\rTrain: {step % 100:3}%|{'█' * (step % 10):<10}| {step}/10000 [00:{step % 60:02}<01:00, 3.4it/s]"
            )
        else:
            out.append(
                f"validation word error rate {chooser.random():.3f}, exact match {chooser.random():.3f}, nan"
                f" batches skipped: 0"
            )
    return "\n".join(out) + "\n"


def test_clean_training_log(real: Scanner) -> None:
    assert real.scan(training_log(2_000).encode(), "train.log") == []


HELP = """\
usage: train.py [-h] [--batch-size N] [--retry-on-oom]

Fine-tune a model. Every error is logged.

options:
  --batch-size N     lower this if you see "CUDA out of memory" in the log
  --retry-on-oom     catch errors such as CUDA out of memory and halve the batch
  --expandable       to avoid CUDA out of memory. Tried to allocate is what torch prints then
  --fp32             use if you get Input type (torch.cuda.HalfTensor) and weight type (torch.FloatTensor) should be the same
  --nproc N          processes; an error: unknown device ends the run
Slow runs: see also "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)" below.
Example errors: none. In case of CUDA error: device-side assert triggered see docs/faq.md
error handling: on
errors so far: 0
"""


def test_help_that_speaks_of_errors(real: Scanner) -> None:
    assert real.scan(HELP.encode(), "help.txt") == []


OTHERS = """\
2023-06-07 08:09:10.111213: E tensorflow/stream_executor/cuda/cuda_blas.cc:226] failed to create cublas handle: CUBLAS_STATUS_NOT_INITIALIZED
E0607 08:09:10.111213   90123 pjrt_stream_executor_client.cc:3077] Execution of replica 0 failed: CUDA_ERROR_OUT_OF_MEMORY: out of memory
W0607 08:09:10.111213 90123 external/xla/xla/service/gpu/autotuner.cc:88] CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered
jaxlib.xla_extension.XlaRuntimeError: INTERNAL: CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered
"""


@pytest.mark.parametrize("line", OTHERS.splitlines())
def test_failures_of_other_frameworks(real: Scanner, line: str) -> None:
    assert real.scan(f"{line}\n".encode(), "other.log") == []


SOURCE = '''\
    def check(self):
        if "CUDA out of memory. Tried to allocate" in str(error):
            raise RuntimeError("CUDA error: device-side assert triggered")
        with pytest.raises(RuntimeError, match="mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)"):
            pass
        except torch.cuda.OutOfMemoryError as error:  # CUDA out of memory. Tried to allocate
        """CUDA out of memory. Tried to allocate 1.00 GiB."""
        msg = "DataLoader worker (pid 1) is killed by signal: Killed."
        # RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (seen with batches of 64)
out, _ = net(image.cuda(), True)  # cuda(): RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB
model(data)  # RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)
# FIXME: torch._dynamo hit config.recompile_limit (8), so this is no faster
+           warnings.warn("Detected call of `lr_scheduler.step()` before `optimizer.step()`.")
    ("CUDA_ERROR_OUT_OF_MEMORY", "hipErrorMemoryAllocation"),
            "CUDA out of memory. Tried to allocate {}".format(
            "None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2
        check(a.dim() == 2, lambda: f"mat1 and mat2 shapes cannot be multiplied ({a}x{b} and 4x5)")
   2329                 f"CUDA out of memory. Tried to allocate {size}, of which {free} are free"
tests/test_oom.py::test_message[CUDA out of memory. Tried to allocate 2.00 GiB] PASSED [ 14%]
'''


def test_listed_source(real: Scanner) -> None:
    assert real.scan(SOURCE.encode(), "listing.txt") == []


def test_source_lines_of_a_traceback_are_not_searched(scanner: Scanner) -> None:
    text = (
        "Traceback (most recent call last):\n"
        '  File "/job/a.py", line 3, in f\n'
        '    raise ValueError("CUDA out of memory. Tried to allocate 1 GiB")\n'
        "ValueError: something else\n"
    )
    assert scanner.scan(text.encode(), "x.log") == []


PHRASE = "CUDA out of memory. Tried to allocate 2 GiB"


@pytest.mark.parametrize(
    "line",
    [
        f"RuntimeError: {PHRASE}",
        f"training failed on cuda:0 {PHRASE}",
        f"worker 3 got {PHRASE}",
        f'{{"level": "error", "message": "{PHRASE}"}}',
        f"Error: OutOfMemoryError('{PHRASE}')",
        f'step failed with exc=RuntimeError("{PHRASE}")',
        f"`{PHRASE}`",
        f"# {PHRASE}",
        f"E   RuntimeError: {PHRASE}",
        f"FAILED tests/test_a.py::test_b - RuntimeError: {PHRASE}",
        f"caught error: {PHRASE}, retrying",
    ],
)
def test_real_reports_are_not_taken_for_harmless(line: str) -> None:
    start = line.index(PHRASE)
    assert not is_harmless(line, start, start + len(PHRASE))
