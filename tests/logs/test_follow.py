"""Following real files through everything that happens to logs: nothing twice, nothing lost."""

import os
import random
import shutil
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from detour_lsp.logs import follow
from detour_lsp.logs.follow import Chunk, Follower


class Reader:
    """Collects chunks by file name and generation."""

    def __init__(self, *paths: Path) -> None:
        self.follower = Follower(paths)
        self.data: defaultdict[tuple[str, int], bytes] = defaultdict(bytes)
        self.ended: list[tuple[str, int]] = []

    def take(self, chunks: list[Chunk]) -> None:
        for chunk in chunks:
            key = (os.path.basename(chunk.path), chunk.generation)
            assert key not in self.ended, "bytes after the end of a generation"
            self.data[key] += chunk.data
            if chunk.final:
                self.ended.append(key)

    def poll(self) -> dict[tuple[str, int], bytes]:
        """What came since the last poll."""
        before = dict(self.data)
        self.take(list(self.follower.poll()))
        return {
            key: data[len(before.get(key, b"")) :] for key, data in self.data.items() if data != before.get(key, b"")
        }


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "train.log"
    path.write_bytes(b"one\n")
    return path


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def test_only_what_was_appended(log: Path) -> None:
    reader = Reader(log)
    assert reader.poll() == {("train.log", 0): b"one\n"}
    assert reader.poll() == {}
    append(log, b"half")
    assert reader.poll() == {("train.log", 0): b"half"}
    append(log, b" line\n\xff\0")
    assert reader.poll() == {("train.log", 0): b" line\n\xff\0"}
    os.utime(log)
    assert reader.poll() == {}


def test_further_files_while_it_runs(log: Path) -> None:
    reader = Reader(log)
    reader.poll()
    other = log.with_name("other.log")
    other.write_bytes(b"two\n")
    reader.follower.add([other])
    append(log, b"three\n")
    assert reader.poll() == {("train.log", 0): b"three\n", ("other.log", 0): b"two\n"}


def test_a_file_that_is_followed_no_more_is_read_to_its_end_and_can_come_back(log: Path) -> None:
    other = log.with_name("other.log")
    other.write_bytes(b"other\n")
    reader = Reader(log, other)
    reader.poll()
    append(log, b"two\n")
    reader.follower.remove([log])
    assert reader.poll() == {("train.log", 0): b"two\n"}
    assert reader.ended == [("train.log", 0)]
    append(log, b"three\n")
    append(other, b"more\n")
    assert reader.poll() == {("other.log", 0): b"more\n"}
    reader.ended.clear()
    reader.follower.add([log])
    assert reader.poll() == {("train.log", 0): b"one\ntwo\nthree\n"}


def test_a_rotated_file_that_is_added_is_not_told_twice(log: Path) -> None:
    reader = Reader(log)
    reader.poll()
    old = log.rename(log.with_name("train.1.log"))
    log.write_bytes(b"anew\n")
    reader.follower.add([old])
    assert reader.poll() == {("train.log", 1): b"anew\n"}
    append(old, b"last words\n")
    assert reader.poll() == {("train.log", 0): b"last words\n"}


def test_a_file_that_comes_later(tmp_path: Path) -> None:
    path = tmp_path / "later" / "train.log"
    reader = Reader(path)
    assert reader.poll() == {}
    path.parent.mkdir()
    assert reader.poll() == {}
    path.write_bytes(b"x\n")
    assert reader.poll() == {("train.log", 0): b"x\n"}


def test_rotation_by_rename_reads_the_old_file_to_its_end(log: Path) -> None:
    reader = Reader(log)
    reader.poll()
    append(log, b"before\n")
    log.rename(log.with_name("train.log.1"))
    # A program writes into the renamed file until it is told to open its log again.
    append(log.with_name("train.log.1"), b"late\n")
    log.write_bytes(b"new\n")
    assert reader.poll() == {("train.log", 0): b"before\nlate\n", ("train.log", 1): b"new\n"}
    append(log.with_name("train.log.1"), b"later\n")
    append(log, b"newer\n")
    assert reader.poll() == {("train.log", 0): b"later\n", ("train.log", 1): b"newer\n"}


def test_an_old_generation_ends_when_it_has_been_quiet(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "RETIRED_SECONDS", 0.05)
    reader = Reader(log)
    reader.poll()
    log.rename(log.with_name("elsewhere"))
    log.write_bytes(b"new\n")
    reader.poll()
    time.sleep(0.06)
    reader.poll()
    assert reader.ended == [("train.log", 0)]
    assert list(reader.follower.close()) == [Chunk(str(log), 1, b"", final=True)]


def test_truncation_begins_anew(log: Path) -> None:
    reader = Reader(log)
    append(log, b"two\nthree\n")
    reader.poll()
    log.write_bytes(b"n\n")
    assert reader.poll() == {("train.log", 1): b"n\n"}
    assert reader.ended == [("train.log", 0)]
    with log.open("r+b") as file:
        file.truncate(0)
    assert reader.poll() == {}
    append(log, b"after\n")
    assert reader.poll() == {("train.log", 2): b"after\n"}


def test_truncated_and_already_longer_again(log: Path) -> None:
    reader = Reader(log)
    reader.poll()
    log.write_bytes(b"another run that has written more than was there before\n")
    assert reader.poll() == {("train.log", 1): b"another run that has written more than was there before\n"}


def test_rewritten_in_place_with_the_same_length(log: Path) -> None:
    reader = Reader(log)
    reader.poll()
    log.write_bytes(b"two\n")
    os.utime(log, ns=(1, 1))
    assert reader.poll() == {("train.log", 1): b"two\n"}


def test_replaced_by_another_file(log: Path) -> None:
    reader = Reader(log)
    reader.poll()
    other = log.with_name("other")
    other.write_bytes(b"one\ntwo\n")
    append(log, b"last of the old\n")
    os.replace(other, log)
    assert reader.poll() == {("train.log", 0): b"last of the old\n", ("train.log", 1): b"one\ntwo\n"}


def test_deleted_and_back(log: Path) -> None:
    reader = Reader(log)
    reader.poll()
    append(log, b"unread\n")
    log.unlink()
    assert reader.poll() == {("train.log", 0): b"unread\n"}
    assert reader.poll() == {}
    log.write_bytes(b"back\n")
    assert reader.poll() == {("train.log", 1): b"back\n"}


def test_copied_and_truncated(log: Path, tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    reader.poll()
    shutil.copy(log, log.with_name("train.log.1"))
    log.write_bytes(b"")
    append(log, b"x\n")
    assert reader.poll() == {("train.log", 1): b"x\n"}
    assert not [name for name, _ in reader.data if name == "train.log.1"]


def test_symbolic_links_are_followed_and_noticed_when_they_turn(tmp_path: Path) -> None:
    (tmp_path / "run1.txt").write_bytes(b"run 1\n")
    (tmp_path / "run2.txt").write_bytes(b"run 2\n")
    link = tmp_path / "latest"
    link.symlink_to("run1.txt")
    reader = Reader(link)
    assert reader.poll() == {("latest", 0): b"run 1\n"}
    link.unlink()
    link.symlink_to("run2.txt")
    assert reader.poll() == {("latest", 1): b"run 2\n"}
    link.unlink()
    link.symlink_to("latest")
    assert reader.poll() == {}


def test_folders_with_a_file_per_rank(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    for rank in range(3):
        folder = tmp_path / "attempt_0" / str(rank)
        folder.mkdir(parents=True)
        (folder / f"stderr{rank}.log").write_bytes(b"rank %d\n" % rank)
    (tmp_path / "model.pt").write_bytes(b"\0" * 10)
    (tmp_path / "old.log.gz").write_bytes(b"\x1f\x8b")
    (tmp_path / "latest.log").symlink_to(tmp_path / "attempt_0" / "0" / "stderr0.log")
    # The link is another name of one of them.
    assert sorted(reader.poll().values()) == [b"rank 0\n", b"rank 1\n", b"rank 2\n"]
    assert reader.poll() == {}


def test_a_renamed_file_in_a_folder_is_not_told_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "RETIRED_SECONDS", 0.02)
    log = tmp_path / "a.log"
    log.write_bytes(b"told\n")
    reader = Reader(tmp_path)
    reader.poll()
    log.rename(tmp_path / "finished.log")
    assert reader.poll() == {}
    time.sleep(0.03)
    reader.poll()
    append(tmp_path / "finished.log", b"more\n")
    reader.poll()
    assert b"".join(reader.data.values()) == b"told\nmore\n"


def test_two_names_of_one_file(log: Path) -> None:
    link = log.with_name("link.log")
    link.symlink_to(log)
    reader = Reader(log, link)
    assert reader.poll() == {("train.log", 0): b"one\n"}


def test_what_is_no_file_is_left_alone(tmp_path: Path) -> None:
    fifo = tmp_path / "pipe.log"
    os.mkfifo(fifo)
    assert Reader(fifo).poll() == {}
    assert Reader(tmp_path).poll() == {}


def test_large_growth_comes_in_pieces(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "READ_BYTES", 1000)
    follower = Follower([log])
    append(log, b"x" * 10_500)
    chunks = list(follower.poll())
    assert max(len(chunk.data) for chunk in chunks) == 1000
    assert sum(len(chunk.data) for chunk in chunks) == 10_504


def running(reader: Reader, stop: threading.Event) -> threading.Thread:
    def work() -> None:
        for batch in reader.follower.run(stop):
            reader.take(batch)

    thread = threading.Thread(target=work)
    thread.start()
    return thread


def until(condition: object, seconds: float = 60) -> Iterator[None]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield
        time.sleep(0.01)
    raise AssertionError(f"not within {seconds} s: {condition}")


def test_growth_is_seen_at_once(log: Path) -> None:
    reader = Reader(log)
    stop = threading.Event()
    thread = running(reader, stop)
    for _ in until("first bytes"):
        if reader.data["train.log", 0] == b"one\n":
            break
    start = time.monotonic()
    append(log, b"two\n")
    for _ in until("appended bytes"):
        if reader.data["train.log", 0] == b"one\ntwo\n":
            break
    assert time.monotonic() - start < 30
    stop.set()
    thread.join(60)
    assert not thread.is_alive()
    assert reader.ended == [("train.log", 0)]


@pytest.mark.parametrize("whole_folder", [False, True])
def test_a_wild_writer(tmp_path: Path, whole_folder: bool) -> None:
    # Appends in torn pieces, rotates by renaming, deletes; every line must arrive exactly once and in order.
    log = tmp_path / "train.log"
    log.write_bytes(b"")
    reader = Reader(tmp_path if whole_folder else log)
    stop = threading.Event()
    thread = running(reader, stop)
    for _ in until("the first look"):
        if reader.follower._followed:
            break
    random_numbers = random.Random(7)
    written = 0
    file = log.open("ab", buffering=0)
    for turn in range(300):
        line = b"line %d\n" % turn
        cut = random_numbers.randrange(len(line))
        file.write(line[:cut])
        if random_numbers.random() < 0.1:
            time.sleep(0.002)
        file.write(line[cut:])
        written += 1
        if random_numbers.random() < 0.04:
            # The follower must have opened the file before it is renamed away: nobody can find it afterwards.
            for _ in until("the file is open"):
                if any(
                    f.holds((os.fstat(file.fileno()).st_dev, os.fstat(file.fileno()).st_ino))
                    for f in reader.follower._followed.values()
                ):
                    break
            if random_numbers.random() < 0.5:
                log.rename(tmp_path / f"train.log.{turn}")
            else:
                log.unlink()
            file.close()
            file = log.open("ab", buffering=0)
    file.close()
    for _ in until("everything", 60):
        if sum(data.count(b"\n") for data in reader.data.values()) >= written:
            break
    stop.set()
    thread.join(60)
    lines = b"".join(data for _, data in sorted(reader.data.items(), key=lambda item: item[0][1])).split(b"\n")[:-1]
    assert lines == [b"line %d" % turn for turn in range(300)]
