"""Where record files are: Detour's own, a folder's, an installed package's. Looks only at names, reads nothing."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path, PurePosixPath


def builtin_seeds() -> Path:
    """The folder of Detour's own records: inside the package in a wheel, beside `server/` in a checkout."""
    package = Path(__file__).resolve().parent.parent
    bundled = package / "seeds"
    return bundled if bundled.is_dir() else package.parent.parent / "seeds"


def locate(name: str | Path) -> Path | None:
    """The folder or file behind a `--kb` value: a path, or the name of an installed package; None if neither."""
    # Those of `os.path`: the ones of `Path` raise for a folder that may not be entered and for `~` of nobody.
    path = os.path.expanduser(name)
    if os.path.exists(path):
        return Path(path)
    return _in_package(str(name))


def _in_package(name: str) -> Path | None:
    # Only the place is looked up: nothing of the package is imported.
    import importlib.metadata
    import importlib.util

    try:
        files = importlib.metadata.files(name) or []
    except (importlib.metadata.PackageNotFoundError, ValueError):
        files = []
    records = [file for file in files if file.suffix == ".json" and ".dist-info" not in file.parts[0]]
    if records:
        # A distribution may bring several folders (code, data): the one with most JSON files holds the records.
        top = Counter(file.parts[0] for file in records).most_common(1)[0][0]
        inside = [str(PurePosixPath(file).parent) for file in records if file.parts[0] == top]
        located = records[0].locate()
        root = Path(*Path(str(located)).parts[: -len(records[0].parts)])
        return root / os.path.commonpath(inside)
    try:
        spec = importlib.util.find_spec(name.replace("-", "_").partition(".")[0])
    except (ImportError, ValueError):
        return None
    for place in spec.submodule_search_locations or () if spec else ():
        return Path(place)
    return None


def record_files(path: Path) -> list[Path]:
    """The record files at a path, sorted: `record.json` of every folder that has one, else every `.json`."""
    return [Path(file) for file, _, _ in stamped_files(path)]


def stamped_files(path: Path) -> list[tuple[str, int, int]]:
    """`record_files` with size and time of change: enough to notice that something has changed since."""
    if path.is_file():
        stat = path.stat()
        return [(str(path), stat.st_size, stat.st_mtime_ns)]
    own: list[tuple[str, int, int]] = []
    others: list[tuple[str, int, int]] = []
    folders = [str(path)]
    while folders:
        inner: list[str] = []
        here: list[tuple[str, int, int]] = []
        is_record = False
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if entry.name == "record.json" and entry.is_file():
                        stat = entry.stat()
                        own.append((entry.path, stat.st_size, stat.st_mtime_ns))
                        is_record = True
                    elif entry.is_dir(follow_symlinks=False):
                        inner.append(entry.path)
                    elif entry.name.endswith(".json") and not entry.name.startswith((".", "_")) and entry.is_file():
                        stat = entry.stat()
                        here.append((entry.path, stat.st_size, stat.st_mtime_ns))
        except OSError:
            # A folder that may not be read holds no record that may be read.
            continue
        # What lies beside or below a record.json is proof of that record (logs, programs), not another record.
        if not is_record:
            folders += inner
            others += here
    return sorted(own or others)
