"""One incident per failure: duplicates, ranks, symptoms and causes, more exact records, order and fingerprints."""

from __future__ import annotations

from detour_lsp.logs.incident import Incident
from detour_lsp.logs.scan import Scanner

OOM = "CUDA out of memory. Tried to allocate {size} GiB. GPU {gpu} has a total capacity of 8 GiB"


def trace(line: int = 12, size: str = "1.00", gpu: int = 0, file: str = "train.py") -> str:
    return (
        f'Traceback (most recent call last):\n  File "/job/{file}", line {line}, in main\n    step()\n'
        f"torch.OutOfMemoryError: {OOM.format(size=size, gpu=gpu)}\n"
    )


def prefixed(prefix: str, text: str) -> str:
    return "".join(f"{prefix}{line}\n" for line in text.splitlines())


def scan(scanner: Scanner, text: str) -> list[Incident]:
    return scanner.scan(text.encode(), "x.log")


def test_ranks_with_other_numbers_are_one_incident(scanner: Scanner) -> None:
    text = "".join(prefixed(f"[rank{n}]: ", trace(size=f"{n}.50", gpu=n)) for n in range(8))
    (incident,) = scan(scanner, text)
    assert incident.ranks == tuple(range(8))
    assert incident.count == 8
    assert incident.captures["requested"] == "0.50 GiB"
    assert incident.span.line == 4


def test_other_lines_are_other_incidents(scanner: Scanner) -> None:
    incidents = scan(scanner, trace(12) + "retry\n" * 3 + trace(40))
    assert [(i.user_frame.line if i.user_frame else 0, i.count) for i in incidents] == [(12, 1), (40, 1)]
    assert len({incident.fingerprint for incident in incidents}) == 2


def test_same_line_again_is_counted(scanner: Scanner) -> None:
    (incident,) = scan(scanner, (trace(12) + "retrying with a smaller batch\n" * 40) * 3)
    assert incident.count == 3


def test_message_without_traceback_joins_the_one_with(scanner: Scanner) -> None:
    (incident,) = scan(scanner, f"ERROR {OOM.format(size='1.00', gpu=0)}\n" + trace())
    assert incident.span.line == 1
    assert incident.user_frame is not None
    assert incident.user_frame.line == 12


def test_chained_copies_are_one_occurrence(scanner: Scanner) -> None:
    text = (
        trace()
        + "\nThe above exception was the direct cause of the following exception:\n\n"
        + trace(30).replace("torch.OutOfMemoryError", "RuntimeError")
    )
    (incident,) = scan(scanner, text)
    assert incident.count == 1
    assert incident.user_frame is not None
    assert incident.user_frame.line == 12


def test_fingerprint_is_that_of_another_run(scanner: Scanner) -> None:
    first = scan(scanner, trace(size="1.00"))[0]
    second = scan(scanner, "epoch 7\n" * 90 + prefixed("[rank3]: ", trace(size="2.75", gpu=3)))[0]
    assert first.fingerprint == second.fingerprint
    assert scan(scanner, trace(line=13))[0].fingerprint != first.fingerprint


def test_a_more_exact_record_replaces_the_other(scanner: Scanner) -> None:
    incidents = scan(scanner, "RuntimeError: Triton Error [CUDA]: invalid device\n")
    assert [incident.record for incident in incidents] == ["t/special"]
    incidents = scan(scanner, "RuntimeError: Triton Error [CUDA]: something else\n")
    assert [incident.record for incident in incidents] == ["t/general"]


def test_withdrawn_when_a_more_exact_record_appears_below(scanner: Scanner) -> None:
    stream = scanner.stream("x.log")
    (first,) = stream.feed(b"RuntimeError: Triton Error\n")
    assert stream.withdrawn() == []
    (second,) = stream.feed(b"caused by Triton Error [CUDA]: invalid device\n")
    assert (first.record, second.record) == ("t/general", "t/special")
    assert stream.withdrawn() == [first.fingerprint]
    assert stream.withdrawn() == []


def test_symptom_points_at_the_cause_of_its_own_rank(scanner: Scanner) -> None:
    text = (
        prefixed("[rank0]: ", trace(12))
        + prefixed("[rank1]: ", trace(50, file="other.py"))
        + "step\n" * 30
        + "[rank1]: torch.distributed.elastic.multiprocessing.errors.ChildFailedError:\n"
    )
    incidents = scan(scanner, text)
    symptom = next(incident for incident in incidents if incident.level == "symptom")
    cause = next(incident for incident in incidents if incident.fingerprint == symptom.cause_of)
    assert cause.ranks == (1,)
    assert symptom.user_frame == cause.user_frame


def test_symptom_of_an_unknown_error_still_has_a_frame(scanner: Scanner) -> None:
    text = (
        "Traceback (most recent call last):\n  File \"/job/data.py\", line 7, in load\n    x\nKeyError: 'y'\n"
        'Traceback (most recent call last):\n  File "/usr/lib/python3.11/site-packages/torch/distributed/run.py",'
        " line 9, in run\n"
        "    go()\ntorch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n"
    )
    (symptom,) = scan(scanner, text)
    assert symptom.cause_of is None
    assert symptom.user_frame is not None
    assert symptom.user_frame.line == 7


def test_decisive_line_below_the_first(scanner: Scanner) -> None:
    text = (
        "torch.distributed.DistBackendError: NCCL error in: x.cpp:1, unhandled system error, NCCL version 2.18.6\n"
        "ncclSystemError: System call failed. \nLast error:\nsocketStartConnect: Connect to 10.0.0.1<5> failed\n"
    )
    (incident,) = scan(scanner, text)
    assert (incident.span.line, incident.span.end_line) == (4, 4)
    assert incident.message.startswith("torch.distributed.DistBackendError")
    assert incident.message.endswith("socketStartConnect: Connect to 10.0.0.1<5> failed")


def test_words_in_a_warning_are_a_warning(scanner: Scanner) -> None:
    (incident,) = scan(scanner, f"/job/a.py:3: UserWarning: {OOM.format(size=1, gpu=0)}\n  torch.zeros(3)\n")
    assert incident.level == "warning"
    assert incident.user_frame is not None
    assert (incident.user_frame.line, incident.user_frame.source) == (3, "torch.zeros(3)")


def test_ranks_torn_into_one_line(scanner: Scanner) -> None:
    text = (
        "[rank0]: Traceback (most recent call last):[rank1]: Traceback (most recent call last):\n"
        '[rank1]:   File "/job/a.py", line 3, in f\n[rank0]:   File "/job/a.py", line 3, in f\n'
        "[rank0]:     g()[rank1]:     g()\n"
        f"[rank1]: RuntimeError: {OOM.format(size=1, gpu=1)}[rank0]: RuntimeError: {OOM.format(size=1, gpu=0)}\n"
    )
    (incident,) = scan(scanner, text)
    assert incident.ranks == (0, 1)
    assert incident.user_frame is not None
    assert (incident.user_frame.file, incident.user_frame.line) == ("/job/a.py", 3)


def test_two_unmarked_processes_interleaved(scanner: Scanner) -> None:
    text = (
        "Traceback (most recent call last):\n"
        '  File "/job/a.py", line 30, in <module>\n'
        "Traceback (most recent call last):\n"
        "    main()\n"
        '  File "/job/a.py", line 30, in <module>\n'
        '  File "/job/a.py", line 7, in main\n'
        "    main()\n"
        '  File "/job/a.py", line 7, in main\n'
        "    step()\n"
        "    step()\n"
        f"RuntimeErrorRuntimeError: : {OOM.format(size=1, gpu=0)}{OOM.format(size=1, gpu=1)}\n"
    )
    (incident,) = scan(scanner, text)
    assert incident.user_frame is not None
    assert incident.user_frame.line == 7


def test_torch_version_from_the_text(scanner: Scanner) -> None:
    (incident,) = scan(scanner, "PyTorch version: 2.3.1+cu121\n" + trace())
    assert incident.torch_version == "2.3.1+cu121"


def test_signatures_that_overlap_are_one_sighting(scanner: Scanner) -> None:
    line = "RuntimeError: " + OOM.format(size="1.00", gpu=0) + " CUDA error: out of memory\n"
    (incident,) = scan(scanner, line * 50)
    assert incident.count == 50
    assert incident.signature == 0
    assert incident.captures == {"requested": "1.00 GiB"}


def places(incidents: list[Incident]) -> list[tuple[int, int, int]]:
    """Line of the log, line of the user frame, count."""
    return [(i.span.line, i.user_frame.line if i.user_frame else 0, i.count) for i in incidents]


LOGGED = "V1130 17:06:1{n}.297000 3108 torch/_dynamo/symbolic_convert.py:5124] [{n}/0] [__graph_breaks] "


def graph_break(n: int, line: int) -> str:
    """What torch 2.9 and later log of one graph break."""
    return prefixed(
        LOGGED.format(n=n),
        f"Graph break in user code at /job/model.py:{line}\nGraph Break Reason: Data-dependent branching\n"
        "  Explanation: Detected data-dependent branching.\n  Hint: Use `torch.cond`.\n\n"
        "  Developer debug context: attempted to jump with TensorVariable()\n\nUser code traceback:\n"
        f'  File "/job/main.py", line 12, in <module>\n    print(model(x))\n'
        f'  File "/job/model.py", line {line}, in forward\n    if y.sum() > 0:\n\n',
    )


def test_graph_breaks_at_several_places_are_several_incidents(scanner: Scanner) -> None:
    found = scan(scanner, "".join(graph_break(n, line) for n, line in enumerate((6, 9, 31))))
    assert places(found) == [(1, 6, 1), (14, 9, 1), (27, 31, 1)]


def test_a_graph_break_on_every_rank_is_one_incident(scanner: Scanner) -> None:
    text = "".join(prefixed(f"[rank{rank}]:", graph_break(rank, 6)) for rank in range(4))
    (incident,) = scan(scanner, text)
    assert (incident.count, incident.ranks) == (4, (0, 1, 2, 3))


def test_graph_breaks_of_older_versions(scanner: Scanner) -> None:
    text = "".join(
        prefixed(
            f"[2026-11-30 17:54:1{n},134] [{n}/0] torch._dynamo.symbolic_convert.__graph_breaks: [DEBUG] ",
            f"Graph break: call_function print from user code at:\n"
            f'  File "/job/model.py", line {line}, in <resume in forward>\n    print("hello")\n\n',
        )
        for n, line in enumerate((7, 8))
    )
    found = scan(scanner, text)
    assert places(found) == [(1, 7, 1), (5, 8, 1)]
    assert [i.user_frame.function for i in found if i.user_frame] == ["<resume in forward>"] * 2


def test_one_graph_break_in_two_wordings_is_one_occurrence(scanner: Scanner) -> None:
    advice = (
        "Graph break from `Tensor.item()`, consider setting:\n    torch._dynamo.config.capture_scalar_outputs = True\n"
        'Graph break: from user code at:\n  File "/job/model.py", line 6, in forward\n    y = x.item()\n\n'
    )
    found = scan(scanner, prefixed(LOGGED.format(n=0), advice) + graph_break(0, 6) + graph_break(1, 9))
    assert places(found) == [(1, 6, 1), (20, 9, 1)]


def test_limits_of_several_functions_are_several_incidents(scanner: Scanner) -> None:
    text = "".join(
        f"torch._dynamo hit config.recompile_limit (8)\n   function: 'forward' (/job/model.py:{line})\n"
        f"   last reason: 0/7: tensor 'x' size mismatch at index 0. expected 1, actual 8\n"
        'To log all recompilation reasons, use TORCH_LOGS="recompiles".\n'
        for line in (10, 110, 210)
    )
    assert places(scan(scanner, text)) == [(1, 10, 1), (5, 110, 1), (9, 210, 1)]


def test_what_begins_the_next_failure_is_not_counted_for_the_last(scanner: Scanner) -> None:
    once = f"ERROR {OOM.format(size='1.00', gpu=0)}\n"
    found = scan(scanner, once + trace(12) + once + trace(40))
    assert places(found) == [(1, 12, 1), (6, 40, 1)]
    assert places(scan(scanner, once + trace(12) + once + trace(12))) == [(1, 12, 2)]


def test_warnings_of_other_places_stay_apart(scanner: Scanner) -> None:
    text = "".join(
        f"{file}:{line}: UserWarning: {words}\n  torch.zeros(3)\n"
        for file, line, words in (
            ("/usr/lib/python3.11/site-packages/torch/a.py", 3, "CUDA error: out of memory"),
            ("/job/a.py", 7, OOM.format(size=1, gpu=0)),
            ("/job/a.py", 9, OOM.format(size=1, gpu=0)),
        )
    )
    assert [i.user_frame.line if i.user_frame else 0 for i in scan(scanner, text)] == [0, 7, 9]


def test_block_is_all_that_was_told_of_the_failure(scanner: Scanner) -> None:
    text = (
        "step\n"
        + trace()
        + "\nThe above exception was the direct cause of the following exception:\n\n"
        + trace(30).replace("torch.OutOfMemoryError", "RuntimeError")
        + "step\n" * 3
    )
    (incident,) = scan(scanner, text)
    assert incident.block is not None
    assert (incident.block.line, incident.block.end_line) == (2, 15)


def test_error_after_the_warning_about_it_is_told_by_itself(scanner: Scanner) -> None:
    text = (
        "/opt/py/lib/python3.10/site-packages/torch/distributed/launch.py:181: FutureWarning: "
        "The module torch.distributed.launch is deprecated\n"
        "and will be removed in future. Use torchrun.\n\n"
        "  warnings.warn(\n"
        "usage: fit.py [-h] [--local_rank LOCAL_RANK]\n"
        "fit.py: error: unrecognized arguments: --local-rank=0\n"
    )
    incidents = scan(scanner, text)
    assert [(i.record, i.level, i.span.line) for i in incidents] == [
        ("t/launch", "warning", 1),
        ("t/launch", "error", 6),
    ]


def test_symptom_stands_where_it_is_told_most_exactly(scanner: Scanner) -> None:
    log = "ERROR:elastic.api: failed (exitcode: 1) of binary: python\n"
    box = "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n====\nfit.py FAILED\n----\nFailures:\n"
    (alone,) = scan(scanner, log)
    (incident,) = scan(scanner, log + box)
    assert (alone.span.line, alone.signature) == (1, 1)
    assert (incident.span.line, incident.signature) == (2, 0)
    assert incident.fingerprint == alone.fingerprint


def test_every_rank_warns_and_then_fails(scanner: Scanner) -> None:
    warned = f"/job/train.py:12: UserWarning: {OOM.format(size=1, gpu=0)}\n  step()\n"
    text = "".join(prefixed(f"[rank{rank}]: ", warned + trace(12)) for rank in range(4))
    found = scan(scanner, text)
    assert [(i.level, i.ranks, i.count) for i in found] == [
        ("warning", (0, 1, 2, 3), 4),
        ("error", (0, 1, 2, 3), 4),
    ]
