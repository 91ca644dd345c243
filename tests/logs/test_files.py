"""Files, folders, pipes and many processes: always the result of one scan per file, in order."""

import gzip
import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from detour_lsp.knowledge.compiled import CompiledKnowledge, compile_knowledge
from detour_lsp.knowledge.loading import Knowledge, load
from detour_lsp.logs import files, parallel
from detour_lsp.logs.files import FileResult, scan_file, scan_paths
from detour_lsp.logs.scan import Scanner

FAILURE = """\
Traceback (most recent call last):
  File "/home/user/project/train{n}.py", line {line}, in main
    loss = step(model)
  File "/opt/venv/lib/python3.11/site-packages/torch/nn/modules/module.py", line 1775, in _call_impl
    return forward_call(*args, **kwargs)
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {n}.00 GiB. GPU 0 has a total capacity of 79.10 GiB
"""


@pytest.fixture(scope="module")
def knowledge() -> CompiledKnowledge:
    everything = load()
    kept = {name: record for name, record in everything.records.items() if record.id.startswith("cuda/")}
    return compile_knowledge(Knowledge(kept, ()))


@pytest.fixture(scope="module")
def scanner(knowledge: CompiledKnowledge) -> Scanner:
    return Scanner(knowledge)


def log(seed: int, lines: int, *, every: int = 300) -> bytes:
    """A log with failures at irregular distances, some too close together to cut between them."""
    random_numbers = random.Random(seed)
    parts: list[str] = []
    while len(parts) < lines:
        parts += [
            f"\x1b[32m2026-11-30 10:00:{index % 60:02d}\x1b[0m INFO step {seed}-{index} loss 0.{index * 79 % 10_000}\n"
            for index in range(random_numbers.choice((3, 20, 30, every, every)))
        ]
        failure = FAILURE.format(n=random_numbers.randrange(1, 6), line=random_numbers.randrange(10, 14))
        prefix = random_numbers.choice(("", "[rank1]: ", "[rank2]: "))
        parts += [prefix + line + "\n" for line in failure.splitlines()]
    return "".join(parts).encode()


def found(results: list[FileResult]) -> list[tuple[str, int, int, tuple[int, ...]]]:
    return [(os.path.basename(item.path), incident.span.line, incident.count, incident.ranks)
            for item in results for incident in item.incidents]  # fmt: skip


def test_one_file_is_scanned_like_a_whole_text(tmp_path: Path, scanner: Scanner) -> None:
    data = log(1, 4000)
    path = tmp_path / "train.log"
    path.write_bytes(data)
    result = scan_file(str(path), scanner)
    assert list(result.incidents) == scanner.scan(data, str(path))
    assert result.error == ""
    assert sum(incident.count for incident in result.incidents) > 15


def test_folders_keep_their_order_and_files_are_scanned_once(tmp_path: Path, knowledge: CompiledKnowledge) -> None:
    for name in ("b.log", "a.log", "sub/c.out", "d.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(FAILURE.format(n=1, line=2))
    results = list(scan_paths([tmp_path / "b.log", tmp_path, tmp_path / "d.py"], knowledge, jobs=1))
    assert [os.path.basename(result.path) for result in results] == ["b.log", "a.log", "c.out", "d.py"]
    assert [len(result.incidents) for result in results] == [1, 1, 1, 1]


def test_compressed_files_are_read_transparently(tmp_path: Path, knowledge: CompiledKnowledge) -> None:
    data = log(2, 2000)
    (tmp_path / "plain.log").write_bytes(data)
    (tmp_path / "packed.log.gz").write_bytes(gzip.compress(data))
    (tmp_path / "torn.log.gz").write_bytes(gzip.compress(data)[:-2000])
    packed, plain, torn = list(scan_paths([tmp_path], knowledge, jobs=1))
    assert found([packed]) == [("packed.log.gz", *rest) for _, *rest in found([plain])]
    assert packed.error == ""
    assert "end-of-stream" in torn.error
    assert 0 < len(torn.incidents) <= len(packed.incidents)


def test_what_cannot_be_read_is_told_and_the_rest_is_scanned(tmp_path: Path, knowledge: CompiledKnowledge) -> None:
    (tmp_path / "good.log").write_text(FAILURE.format(n=1, line=2))
    (tmp_path / "not.log.gz").write_bytes(b"no gzip at all")
    results = list(scan_paths([tmp_path / "missing.log", tmp_path], knowledge, jobs=1))
    assert [bool(result.error) for result in results] == [True, False, True]
    assert results[0].error == "No such file or directory"
    assert len(results[1].incidents) == 1


def test_standard_input_streams(tmp_path: Path) -> None:
    # The scanner must have read the first part before the second is written.
    program = (
        "from detour_lsp.knowledge.compiled import open_knowledge\nfrom detour_lsp.logs.files import scan_paths\n"
        "for result in scan_paths(['-'], open_knowledge()):\n"
        "    print(result.path, [i.record for i in result.incidents], [i.span.line for i in result.incidents])"
    )
    environment = {**os.environ, "DETOUR_CACHE_DIR": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    )
    assert process.stdin is not None
    process.stdin.write(b"healthy\n")
    process.stdin.flush()
    process.stdin.write(FAILURE.format(n=1, line=2).encode())
    out, _ = process.communicate(timeout=60)
    assert out == b"<stdin> ['cuda/out-of-memory'] [7]\n"


def test_many_files_by_processes_give_the_same(tmp_path: Path, knowledge: CompiledKnowledge) -> None:
    for index in range(files._FILES_FOR_PROCESSES + 6):
        (tmp_path / f"{index:03d}.log").write_bytes(log(index, 60))
    (tmp_path / "020.log").unlink()
    (tmp_path / "020.log").mkdir()
    one = list(scan_paths([tmp_path], knowledge, jobs=1))
    many = list(scan_paths([tmp_path], knowledge, jobs=2))
    assert many == one
    assert len(one) == files._FILES_FOR_PROCESSES + 5


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "SMALLEST_PART", 20_000)
    monkeypatch.setattr(parallel, "LARGEST_PART", 20_000)
    monkeypatch.setattr(parallel, "_LOOK", 3_000)


def shared(path: Path, knowledge: CompiledKnowledge, scanner: Scanner) -> FileResult:
    with parallel.pool(knowledge, 2) as processes:
        return parallel.scan_shared(str(path), scanner, processes, 2)


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("seed", range(4))
def test_a_shared_file_gives_what_one_scan_gives(
    tmp_path: Path, knowledge: CompiledKnowledge, scanner: Scanner, seed: int
) -> None:
    path = tmp_path / "train.log"
    path.write_bytes(log(seed, 12_000, every=(40, 60, 300, 1000)[seed]))
    with path.open("rb", buffering=0) as file:
        parts = list(parallel._parts(file, path.stat().st_size, scanner.matcher, 2))
    assert len(parts) > 8
    assert [start for start, _ in parts[1:]] == [end for _, end in parts[:-1]]
    one = scan_file(str(path), scanner)
    assert shared(path, knowledge, scanner) == one
    assert sum(incident.count for incident in one.incidents) >= 12


@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda data: data.decode().encode("utf-16"), id="utf-16"),
        pytest.param(lambda data: data.replace(b"\n", b"\r"), id="one line"),
        pytest.param(lambda data: data.replace(b"INFO", b"IN\0FO"), id="nuls"),
        pytest.param(lambda data: data.replace(b"INFO step", b"Error: step"), id="nowhere quiet"),
        pytest.param(lambda _: b"", id="empty"),
    ],
)
def test_a_log_that_cannot_be_cut_is_still_right(
    tmp_path: Path, knowledge: CompiledKnowledge, scanner: Scanner, change: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "train.log"
    path.write_bytes(change(log(5, 2_500)))
    assert shared(path, knowledge, scanner) == scan_file(str(path), scanner)


def test_processes_are_not_forked_beside_threads(knowledge: CompiledKnowledge) -> None:
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        with parallel.pool(knowledge, 1) as processes:
            assert processes._mp_context.get_start_method() == "spawn"
    finally:
        stop.set()
        thread.join()


def test_memory_stays_flat_whatever_the_input(tmp_path: Path) -> None:
    path = tmp_path / "long.log"
    line = b"2026-11-30 10:00:00 INFO step loss 0.123 and some more words to make it a line\n"
    with path.open("wb") as file:
        for _ in range(100):
            file.write(line * 12_500)
    program = (
        "import resource, sys\nfrom detour_lsp.knowledge.compiled import open_knowledge\n"
        "from detour_lsp.logs.files import scan_paths\nk = open_knowledge()\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "list(scan_paths([sys.argv[1]], k, jobs=1))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    environment = {**os.environ, "DETOUR_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, env=environment, check=True)
    assert path.stat().st_size > 98_000_000
    assert int(done.stdout) < 40_000


def test_healthy_files_pass_by_without_being_copied(tmp_path: Path, scanner: Scanner) -> None:
    # Half of the speed on healthy logs: pieces must be as long as the stream wants them.
    path = tmp_path / "long.log"
    path.write_bytes(b"2026-11-30 10:00:00 INFO step loss 0.123 and words to make it a line\n" * 60_000)
    stream = scanner.stream("long.log")
    copied = 0
    with path.open("rb", buffering=0) as file:
        for piece in files.whole_lines(file, 0, None):
            stream.feed(piece)
            copied += bool(stream._buffer)
    assert copied <= 1
    stream.close()
    assert stream.lines == 60_000
