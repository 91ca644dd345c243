# ruff: noqa: E501 - lines of logs are as long as they are
"""Which of Detour's own records a failure is that speaks the words of several."""

from __future__ import annotations

import pytest

from detour_lsp.knowledge.compiled import compile_knowledge
from detour_lsp.knowledge.loading import load
from detour_lsp.logs.scan import Scanner


@pytest.fixture(scope="module")
def real() -> Scanner:
    return Scanner(compile_knowledge(load()))


def records_of(scanner: Scanner, text: str) -> list[str]:
    return [incident.record for incident in scanner.scan(text.encode(), "x.log")]


def test_failures_while_tracing_are_told_once(real: Scanner) -> None:
    """What an operator says of its shapes inside of Dynamo's message is that message's business."""
    text = (
        "torch._dynamo.exc.TorchRuntimeError: RuntimeError when making fake tensor call\n"
        "  Explanation: Dynamo failed to run FX node with fake tensors: call_method view(\n"
        "    *(FakeTensor(..., size=(s7, 640)), -1, 32, 24), **{}\n"
        "  ): got RuntimeError(\"shape '[-1, 32, 24]' is invalid for input of size 640*s7\")\n"
    )
    assert records_of(real, text) == ["pytorch/compile-fake-tensor-mismatch"]


def test_a_worker_that_got_no_arguments(real: Scanner) -> None:
    """The child reads nothing because its parent could not pickle: no checkpoint is broken."""
    child = (
        "Traceback (most recent call last):\n"
        '  File "<string>", line 1, in <module>\n'
        '  File "C:\\\\Python311\\\\Lib\\\\multiprocessing\\\\spawn.py", line 122, in spawn_main\n'
        "    exitcode = _main(fd, parent_sentinel)\n"
        '  File "C:\\\\Python311\\\\Lib\\\\multiprocessing\\\\spawn.py", line 132, in _main\n'
        "    self = reduction.pickle.load(from_parent)\n"
        "EOFError: Ran out of input\n"
    )
    assert records_of(real, child) == ["pytorch/dataloader-spawn-pickle"]
    parent = "AttributeError: Can't pickle local object 'Images.__init__.<locals>.<lambda>'\n"
    assert records_of(real, parent + "\n" + child) == ["pytorch/dataloader-spawn-pickle"]


def test_anomaly_mode_speaks_of_every_error_in_backward(real: Scanner) -> None:
    text = (
        "/opt/venv/lib/python3.11/site-packages/torch/autograd/graph.py:824: UserWarning: Error detected in MulBackward0. "
        "Traceback of forward call that caused the error:\n"
        '  File "/job/fit.py", line 21, in forward\n'
        "    y = x * w\n"
        "  return Variable._execution_engine.run_backward(\n"
        "Traceback (most recent call last):\n"
        '  File "/job/fit.py", line 40, in <module>\n'
        "    y.sum().backward()\n"
        "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: "
        "[torch.FloatTensor [3]] is at version 2; expected version 1 instead.\n"
    )
    # The warning names the operation that failed in the forward pass: a symptom beside the error, and no error itself.
    told = {(incident.record, incident.level) for incident in real.scan(text.encode(), "x.log")}
    assert told == {("pytorch/autograd-inplace-modified", "error"), ("pytorch/autograd-nan", "symptom")}


@pytest.mark.parametrize(
    ("error", "record"),
    [
        ("an illegal memory access was encountered", "cuda/illegal-memory-access"),
        ("unspecified launch failure", "cuda/unspecified-launch-failure"),
        ("device-side assert triggered", "cuda/device-side-assert"),
    ],
)
def test_a_watchdog_that_meets_a_failed_kernel(real: Scanner, error: str, record: str) -> None:
    """It reports what the device said; nothing took too long."""
    text = (
        "[rank3]:[E607 08:09:10.123456789 ProcessGroupNCCL.cpp:1896] [PG ID 0 PG GUID 0(default_pg) Rank 3] Process group"
        f" watchdog thread terminated with exception: CUDA error: {error}\n"
        f"[E ProcessGroupNCCL.cpp:915] [Rank 3] NCCL watchdog thread terminated with exception: CUDA error: {error}\n"
    )
    assert records_of(real, text) == [record]


@pytest.mark.parametrize(
    ("line", "record"),
    [
        ("error=59 : device-side assert triggered", "cuda/device-side-assert"),
        ("error=101 : invalid device ordinal", "cuda/invalid-device-ordinal"),
        ("error=8 : invalid device function", "cuda/invalid-device-function"),
        ("error=4 : unspecified launch failure", "cuda/unspecified-launch-failure"),
        ("error=77 : an illegal memory access was encountered", "cuda/illegal-memory-access"),
        ("error=2 : out of memory", "cuda/out-of-memory"),
    ],
)
def test_what_torch_said_before_1_11(real: Scanner, line: str, record: str) -> None:
    text = f"THCudaCheck FAIL file=/build/THC/THCGeneral.cpp line=50 {line}\n"
    assert records_of(real, text) == [record]


def test_parameters_of_several_dtypes_are_no_frozen_ones(real: Scanner) -> None:
    """FSDP says both in nearly the same words, and only one of them is about what is trained."""
    told = "ValueError: Must flatten tensors with uniform {}\n"
    assert records_of(real, told.format("dtype but got torch.float16 and torch.float32")) == ["pytorch/dtype-mismatch"]
    frozen = told.format("`requires_grad` when `use_orig_params=False`")
    assert records_of(real, frozen) == ["distributed/fsdp-uniform-requires-grad"]


def test_a_warning_that_a_console_cut_inside_of_a_name(real: Scanner) -> None:
    """The name of the backward function is long, and what stands behind it says enough."""
    text = (
        "Warning: Error detected in ScaledDotProductEfficientAttentionB\n"
        "ackward0. Traceback of forward call that caused the error:\n"
        '  File "attend.py", line 17, in attend\n'
        "    scores = weigh(queries)\n"
    )
    incidents = real.scan(text.encode(), "x.log")
    assert [(incident.record, incident.user_frame and incident.user_frame.line) for incident in incidents] == [
        ("pytorch/autograd-nan", 17)
    ]
