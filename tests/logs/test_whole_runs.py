# ruff: noqa: E501 - lines of logs are as long as they are
"""Runs as a whole, with Detour's own records: what several processes, cells or libraries tell of one failure is told once."""

from __future__ import annotations

import pytest

from detour_lsp.knowledge.compiled import compile_knowledge
from detour_lsp.knowledge.loading import load
from detour_lsp.logs.incident import Incident
from detour_lsp.logs.scan import Scanner


@pytest.fixture(scope="module")
def real() -> Scanner:
    return Scanner(compile_knowledge(load()))


def scan(scanner: Scanner, text: str) -> list[Incident]:
    return [incident for incident in scanner.scan(text.encode(), "run.log") if incident.level != "symptom"]


def told(incident: Incident) -> tuple[str, int, str | None]:
    frame = incident.user_frame
    return incident.record, incident.span.line, f"{frame.file.rpartition('/')[2]}:{frame.line}" if frame else None


HUNG = (
    "[rank{r}]:[E ProcessGroupNCCL.cpp:523] [Rank {r}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum={s},"
    " OpType={op}, NumelIn=64, NumelOut=128, Timeout(ms)=600000) ran for 600{r}12 milliseconds before timing out.\n"
)
STACK = "".join(f"frame #{n}: c10d::work{n}() + 0x1e (0x7f00 in /opt/torch/lib/libtorch_cuda.so)\n" for n in range(7))
DOWN = "Some NCCL operations have failed or timed out. Due to the asynchronous nature of CUDA kernels, data may be corrupt.\n"


def test_ranks_that_wait_in_other_collectives_hang_once(real: Scanner) -> None:
    waits = (("ALLREDUCE", 41), ("BROADCAST", 40), ("_ALLGATHER_BASE", 43))
    text = "step 40\n"
    for rank, (op, number) in enumerate(waits):
        said = HUNG.format(r=rank, s=number, op=op)
        again = said.replace("[Rank", "Process group watchdog thread terminated with exception: [Rank")
        text += said + f"[rank{rank}]:[E ProcessGroupNCCL.cpp:684] [Rank {rank}] {DOWN}" + again + STACK
    (incident,) = scan(real, text)
    assert told(incident) == ("distributed/nccl-watchdog-timeout", 2, None)
    assert (incident.ranks, incident.count) == ((0, 1, 2), 3)


def test_lines_that_name_no_rank_belong_to_the_hang_above(real: Scanner) -> None:
    text = HUNG.format(r=3, s=9, op="ALLREDUCE") + "[E ProcessGroupNCCL.cpp:488] " + DOWN
    (incident,) = scan(real, text)
    assert incident.ranks == (3,)


def test_a_hang_after_the_restart_is_another_one(real: Scanner) -> None:
    between = "step, loss 0.31\n" * 100
    text = HUNG.format(r=0, s=9, op="ALLREDUCE") + between + HUNG.format(r=1, s=9, op="BROADCAST")
    assert [incident.span.line for incident in scan(real, text)] == [1, 102]


WORKER = """\
Traceback (most recent call last):
  File "/job/fit.py", line 70, in <module>
    for batch in loader:
  File "/opt/py/lib/python3.9/site-packages/torch/utils/data/dataloader.py", line 1229, in _process_data
    data.reraise()
  File "/opt/py/lib/python3.9/site-packages/torch/_utils.py", line 425, in reraise
    raise self.exc_type(msg)
KeyError: Caught KeyError in DataLoader worker process 1.
Original Traceback (most recent call last):
  File "/opt/py/lib/python3.9/site-packages/pandas/core/indexes/base.py", line 36, in get_loc
    return self._engine.get_loc(key)
  File "index.pyx", line 16, in pandas._libs.index.IndexEngine.get_loc
KeyError: 'label'
"""
REACHED = """
The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/opt/py/lib/python3.9/site-packages/torch/utils/data/_utils/worker.py", line 287, in _worker_loop
    data = fetcher.fetch(index)
  File "/job/rows.py", line 34, in __getitem__
    return self.rows.iloc[i]["label"]
  File "/opt/py/lib/python3.9/site-packages/pandas/core/series.py", line 58, in __getitem__
    return self._get_value(key)
KeyError: 'label'
"""
HANDLED = """
During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/job/fit.py", line 90, in <module>
    report()
KeyError: 'report'
"""


def test_a_worker_that_quotes_its_traceback_is_no_symptom_of_an_earlier_failure(real: Scanner) -> None:
    earlier = (
        'Traceback (most recent call last):\n  File "/job/start.py", line 4, in <module>\n    net(x)\n'
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (8x5 and 4x2)\n"
    )
    found = real.scan((earlier + "$ python fit.py\n" + WORKER + REACHED).encode(), "run.log")
    assert [told(incident) for incident in found] == [
        ("pytorch/matmul-shape-mismatch", 4, "start.py:4"),
        ("pytorch/dataloader-worker-exception", 13, "rows.py:34"),
    ]
    assert found[1].cause_of is None


def test_a_workers_exception_that_was_chained_in_the_worker(real: Scanner) -> None:
    (incident,) = real.scan((WORKER + REACHED).encode(), "run.log")
    assert told(incident) == ("pytorch/dataloader-worker-exception", 8, "rows.py:34")


def test_what_the_program_raised_afterwards_is_not_the_workers(real: Scanner) -> None:
    (incident,) = real.scan((WORKER + HANDLED).encode(), "run.log")
    assert told(incident) == ("pytorch/dataloader-worker-exception", 8, "fit.py:70")


@pytest.mark.parametrize(
    "bar",
    ["Loading shards:  50%|#####     | 1/2 [00:41<00:40, 40.9s/it]", "Map:   0%|  | 0/90 [00:00<?, ? examples/s]"],
)
def test_killed_behind_a_progress_bar(real: Scanner, bar: str) -> None:
    (incident,) = scan(real, f"loading\n{bar}Killed\n$ \n")
    assert told(incident) == ("system/host-out-of-memory", 2, None)
    assert scan(real, f"{bar}Killed the old server\nplayers: [3:1]Killed 4\n") == []


def test_a_cell_of_ipython_8_in_a_temporary_file(real: Scanner) -> None:
    text = (
        "RuntimeError                              Traceback (most recent call last)\n"
        "/tmp/ipykernel_31/2480.py in <cell line: 0>()\n      1 for x in loader:\n----> 2     out = net(x)\n\n"
        "/usr/local/lib/python3.11/dist-packages/torch/nn/modules/linear.py in forward(self, input)\n"
        "--> 125         return F.linear(input, self.weight, self.bias)\n\n"
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (8x5 and 4x2)\n"
    )
    (incident,) = scan(real, text)
    assert told(incident) == ("pytorch/matmul-shape-mismatch", 9, "2480.py:2")


def test_a_checkout_of_torch_is_not_the_users_code(real: Scanner) -> None:
    error = (
        "torch.fx.experimental.symbolic_shapes.ConstraintViolationError: Constraints violated (L['x'].size()[0])!\n"
        "  - Not all values of RelaxedUnspecConstraint(L['x'].size()[0]) are valid because it was inferred to be a constant (5).\n"
    )
    logged = (
        'Traceback (most recent call last):\n  File "/src/pytorch/torch/_guards.py", line 283, in create\n    run()\n'
        + error
    )
    text = "".join(f"E0913 08:34:30.530000 144 torch/_guards.py:285] [0/0] {line}\n" for line in logged.splitlines())
    text += (
        'Traceback (most recent call last):\n  File "/src/demo/dims.py", line 12, in <module>\n    f(x)\n'
        '  File "/src/pytorch/torch/_weights.py", line 3, in g\n' + error
    )
    (incident,) = scan(real, text)
    assert told(incident) == ("pytorch/compile-mark-dynamic-specialized", 4, "dims.py:12")


def test_a_warning_of_what_has_just_failed_is_no_further_failure(real: Scanner) -> None:
    text = (
        "A module that was compiled using NumPy 1.x cannot be run in\nNumPy 2.1.3 as it may crash.\n\n"
        'Traceback (most recent call last):  File "/job/fit.py", line 3, in <module>\n    import torch\n'
        '  File "/opt/py/lib/python3.10/site-packages/torch/nn/modules/transformer.py", line 20, in <module>\n'
        "/opt/py/lib/python3.10/site-packages/torch/nn/modules/transformer.py:20: UserWarning: Failed to initialize NumPy:"
        " _ARRAY_API not found (Triggered internally at ../torch/csrc/utils/tensor_numpy.cpp:84.)\n  device = default()\n"
    )
    assert [told(incident) for incident in scan(real, text)] == [("install/numpy2-abi", 1, "fit.py:3")]


def test_a_warning_that_plotly_formats_keeps_its_place(real: Scanner) -> None:
    text = (
        "/tmp/ipykernel_47/1361.py:13: UserWarning:\n\nCreating a tensor from a list of numpy.ndarrays is extremely slow."
        " Please consider converting the list to a single numpy.ndarray with numpy.array() first.\n\nepoch 1\n"
    )
    assert [told(incident) for incident in scan(real, text)] == [("pytorch/tensor-from-numpy", 3, "1361.py:13")]


@pytest.mark.parametrize(
    "mark", ["", "2025-05-05T10:00:07.1234567Z ", "test\tRun tests\t2025-05-05T10:00:07.1234567Z "]
)
def test_pytests_summary_is_no_further_occurrence(real: Scanner, mark: str) -> None:
    text = (
        "    def test_fit():\n>       fit(8)\n\ntests/test_a.py:9: \n"
        "_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _\n"
        "src/fit.py:21: in fit\n    return net(x)\n"
        "E   RuntimeError: mat1 and mat2 shapes cannot be multiplied (8x5 and 4x2)\n\nsrc/fit.py:21: RuntimeError\n"
        "=========================== short test summary info ============================\n"
        "FAILED tests/test_a.py::test_fit - RuntimeError: mat1 and mat2 shapes cannot be multiplied (8x5 and 4x2)\n"
    )
    (incident,) = scan(real, "".join(f"{mark}{line}\n" for line in text.splitlines()))
    assert told(incident) == ("pytorch/matmul-shape-mismatch", 8, "fit.py:21")
    assert incident.count == 1


@pytest.mark.parametrize("chained", [False, True])
@pytest.mark.parametrize(
    "mark", ["[2025-01-01 10:00:07 TP{r}] Scheduler hit an exception: ", "(Worker pid=12{r}, ip=10.0.0.{r}) "]
)
def test_a_mark_that_only_the_header_bears_is_the_tracebacks(real: Scanner, mark: str, *, chained: bool) -> None:
    told_twice = (
        'Traceback (most recent call last):\n  File "/job/fit.py", line 41, in main\n    out = net(x)\n'
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (8x5 and 4x{r})\n"
    )
    if chained:
        link = "\nThe above exception was the direct cause of the following exception:\n\n"
        told_twice += link + told_twice.replace("41, in main", "70, in run").replace("RuntimeError", "FitError")
    text = "".join((f"step {rank}\n" + mark + told_twice + "\n").replace("{r}", str(rank)) for rank in range(3))
    (incident,) = scan(real, text)
    assert (told(incident)[2], incident.count) == ("fit.py:41", 3)
