"""The compiled cache: the same knowledge as from the files, fast, and never the reason that something fails."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from nested_example import nested

from detour_lsp.knowledge import bodies, loading
from detour_lsp.knowledge.compiled import compile_knowledge, open_knowledge
from detour_lsp.knowledge.places import builtin_seeds
from detour_lsp.knowledge.storage import cache_directory
from detour_lsp.logs.matching import Matcher


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("DETOUR_CACHE_DIR", str(folder))
    return folder


@pytest.fixture
def records(tmp_path: Path) -> Path:
    folder = tmp_path / "kb"
    folder.mkdir()
    for index in range(3):
        write(folder / f"r{index}.json", nested(id=f"test/r{index}", error__regex=f"fluxonator{index} (?P<n>\\d+)"))
    (folder / "bad.json").write_text("{")
    return folder


def write(path: Path, data: Any, *, age: float = 100) -> None:
    path.write_text(json.dumps(data))
    stat = path.stat()
    os.utime(path, (stat.st_atime - age, stat.st_mtime - age))


def no_loading(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise AssertionError("records were read again")

    monkeypatch.setattr(loading, "load", fail)


def test_a_start_from_the_cache_gives_the_same_without_reading_records(
    records: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.utime(records / "bad.json", (1, 1))
    first = open_knowledge([records], builtin=False)
    no_loading(monkeypatch)
    second = open_knowledge([records], builtin=False)
    assert list(second.records) == ["test/r0", "test/r1", "test/r2"]
    assert dict(second.records) == dict(first.records)
    assert second.problems == first.problems
    assert "not JSON" in second.problems[0].reason
    assert second.signatures == first.signatures
    assert second.signatures[1].literals == ("fluxonator1",)
    matcher = Matcher(second.signatures, second.finder())
    assert [item.signature_indexes for item in matcher.candidates(b"a FLUXONATOR2 17\nfluxonator1")] == [(2,), (1,)]


def test_what_the_package_itself_knows_survives_the_cache() -> None:
    plain = compile_knowledge(loading.load())
    assert plain.records
    open_knowledge()
    cached = open_knowledge()
    assert dict(cached.records) == dict(plain.records)
    assert cached.signatures == plain.signatures
    assert cached.detections == plain.detections
    assert all(bodies.decode(bodies.encode(record)) == record for record in plain.records.values())


def test_a_changed_file_is_noticed(records: Path) -> None:
    open_knowledge([records], builtin=False)
    write(records / "r1.json", nested(id="test/r1", error__regex="xyzzyplugh now"), age=50)
    assert open_knowledge([records], builtin=False).signatures[1].literals == ("xyzzyplugh now",)
    (records / "r2.json").unlink()
    assert list(open_knowledge([records], builtin=False).records) == ["test/r0", "test/r1"]


def test_a_change_right_after_writing_is_noticed_even_with_the_same_stamp(records: Path) -> None:
    path = records / "r1.json"
    write(path, nested(id="test/r1", error__regex="xyzzyplugh a"), age=0)
    stamp = path.stat()
    open_knowledge([records], builtin=False)
    write(path, nested(id="test/r1", error__regex="xyzzyplugh b"), age=0)
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert open_knowledge([records], builtin=False).signatures[1].regex == "(?i)xyzzyplugh b"


def test_touching_files_does_not_read_records_again(records: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_knowledge([records], builtin=False)
    for path in records.iterdir():
        os.utime(path, (5, 5))
    no_loading(monkeypatch)
    assert len(open_knowledge([records], builtin=False).records) == 3


@pytest.mark.parametrize("damage", ["empty", "cut", "flipped-front", "flipped-body", "garbage", "old"])
def test_damage_is_repaired_silently(records: Path, cache: Path, damage: str) -> None:
    os.utime(records / "bad.json", (1, 1))
    wanted = dict(open_knowledge([records], builtin=False).records)
    (file,) = cache.glob("*.knowledge")
    data = bytearray(file.read_bytes())
    if damage == "empty":
        data = bytearray()
    elif damage == "cut":
        data = data[: len(data) // 3]
    elif damage == "flipped-front":
        data[60] ^= 0xFF
    elif damage == "flipped-body":
        data[-200] ^= 0x01
    elif damage == "garbage":
        data = bytearray(os.urandom(5000))
    else:
        data[:8] = b"DETOURK0"
    file.write_bytes(data)
    knowledge = open_knowledge([records], builtin=False)
    assert dict(knowledge.records) == wanted
    assert [pattern.record for pattern in knowledge.signatures] == ["test/r0", "test/r1", "test/r2"]


def test_a_damaged_stamp_is_only_a_miss(records: Path, cache: Path) -> None:
    os.utime(records / "bad.json", (1, 1))
    open_knowledge([records], builtin=False)
    (stamp,) = cache.glob("*.stamp")
    for text in (b"", b"\xff\xfe", b"../../etc/passwd", b"0" * 32):
        stamp.write_bytes(text)
        assert len(open_knowledge([records], builtin=False).records) == 3


def test_a_place_that_cannot_be_written_is_no_error(
    records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A file where a folder should be: not even root can write below it.
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DETOUR_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert len(open_knowledge([records], builtin=False).records) == 3


def test_many_writers_at_once(records: Path, cache: Path) -> None:
    program = (
        "import sys; from detour_lsp.knowledge.compiled import open_knowledge as o\n"
        "print(len(o([sys.argv[1]], builtin=False).records))"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", program, str(records)], stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    results: list[int] = []
    threads = [
        threading.Thread(target=lambda: results.append(len(open_knowledge([records], builtin=False).records)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [process.communicate()[0].strip() for process in processes] == ["3"] * 4
    assert results == [3] * 4
    assert not [path.name for path in cache.iterdir() if path.name.startswith(".")]


def test_old_contents_are_removed(records: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("detour_lsp.knowledge.storage.MOST_FILES", 3)
    for index in range(6):
        write(records / "r0.json", nested(id="test/r0", error__regex=f"xyzzyplugh {index}"))
        open_knowledge([records], builtin=False)
    assert len(list(cache.glob("*.knowledge"))) == 3


def test_the_start_imports_neither_pydantic_nor_the_schema(records: Path) -> None:
    os.utime(records / "bad.json", (1, 1))
    open_knowledge([records], builtin=False)
    program = (
        "import sys; from detour_lsp.knowledge.compiled import open_knowledge\n"
        "k = open_knowledge([sys.argv[1]], builtin=False); k.finder(); k.records['test/r0']\n"
        "print([m for m in sys.modules if m.split('.')[0] in ('pydantic', 'msgspec', 'regex') or m.endswith('schema')])"
    )
    found = subprocess.run([sys.executable, "-c", program, str(records)], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DETOUR_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", "/x/cache")
    monkeypatch.setattr(sys, "platform", "linux")
    assert cache_directory() == Path("/x/cache/detour")


def test_the_seeds_are_where_loading_looks() -> None:
    assert (builtin_seeds() / "pytorch").is_dir()
