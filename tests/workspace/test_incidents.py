"""The life of an incident: where it stands while one edits, when it ends, and that none is held twice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from detour_lsp.logs.incident import Frame, Incident, Span
from detour_lsp.workspace.document import Document
from detour_lsp.workspace.incidents import MOST_PER_SOURCE, IncidentStore, Source
from detour_lsp.workspace.projection import place, within

TEXT = "import torch\n\nx = torch.ones(3)\ny = model(x)\nprint(y)\n"
SOURCE = Source("terminal", "python a.py", "terminal\x1fa.py")


def incident(
    fingerprint: str = "f1", line: int = 4, source: str | None = "y = model(x)", record: str = "a/b"
) -> Incident:
    frame = Frame("/somewhere/a.py", line, "<module>", source)
    return Incident(
        record, 0, "proven", "error", "t", Span(1, 1, 1, 5), "boom", user_frame=frame, fingerprint=fingerprint
    )


def store_with(*incidents: Incident) -> IncidentStore:
    store = IncidentStore()
    store.put(SOURCE, [(item, "a.py", (item.user_frame.line if item.user_frame else 1) - 1) for item in incidents])
    return store


def edit(store: IncidentStore, document: Document, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
    store.edited("a.py", [document.replace(start, end, text, "utf-16")], document)


def lines(store: IncidentStore) -> list[int]:
    return [entry.line for entry in store.in_target("a.py")]


def test_edits_above_move_it_and_edits_below_do_not() -> None:
    store, document = store_with(incident()), Document(TEXT)
    edit(store, document, (0, 0), (0, 0), "# a\n# b\n")
    assert lines(store) == [5]
    edit(store, document, (6, 0), (7, 0), "")
    assert lines(store) == [5]
    edit(store, document, (0, 0), (2, 0), "")
    assert lines(store) == [3]


def test_it_ends_when_its_line_is_edited_away_and_stays_when_it_is_only_pushed() -> None:
    document = Document(TEXT)
    store = store_with(incident())
    edit(store, document, (3, 0), (3, 0), "\n")
    assert lines(store) == [4], "a new line in front of it"
    edit(store, document, (4, 12), (4, 12), "  # why")
    assert lines(store) == [], "the line says something else now"
    store = store_with(incident())
    document = Document(TEXT)
    edit(store, document, (2, 0), (4, 0), "")
    assert lines(store) == []


def test_without_the_lines_text_any_work_on_it_ends_it() -> None:
    store, document = store_with(incident(source=None)), Document(TEXT)
    edit(store, document, (0, 0), (0, 0), "\n")
    assert lines(store) == [4]
    edit(store, document, (4, 3), (4, 4), "z")
    assert lines(store) == []


def test_a_formatter_that_replaces_the_whole_text_leaves_it_on_its_line() -> None:
    store, document = store_with(incident()), Document(TEXT)
    above_and_below = "import os\n\n\nimport torch\n\nx = torch.ones(3)\ny = model(x)\n"
    edit(store, document, (0, 0), (5, 0), above_and_below)
    assert lines(store) == [6]
    store.edited("a.py", [document.replace_all(TEXT)], document)
    assert lines(store) == [3]
    store.edited("a.py", [document.replace_all(TEXT.replace("model(x)", "model(x.t())"))], document)
    assert lines(store) == []


def test_another_line_that_says_the_same_is_not_taken_for_one_that_was_deleted() -> None:
    store, document = store_with(incident()), Document(TEXT + "z = 1\ny = model(x)\n")
    edit(store, document, (2, 0), (4, 0), "")
    assert lines(store) == []


def test_several_edits_of_one_notification() -> None:
    store, document = store_with(incident()), Document(TEXT)
    changes = [
        document.replace((4, 0), (4, 0), "# end\n", "utf-16"),
        document.replace((0, 0), (0, 0), "# top\n", "utf-16"),
    ]
    store.edited("a.py", changes, document)
    assert lines(store) == [4]


def test_the_same_incident_is_held_once_and_an_update_keeps_its_drift() -> None:
    store, document = store_with(incident()), Document(TEXT)
    edit(store, document, (0, 0), (0, 0), "\n")
    store.put(SOURCE, [(replace(incident(), count=3), "a.py", 3)])
    assert lines(store) == [4]
    assert [entry.incident.count for entry in store] == [3]
    log = Source("log", "a.log", "/x/a.log", "file:///x/a.log")
    store.put(log, [(incident(), "a.py", 4)])
    assert len(store) == 2
    assert lines(store) == [4], "the same failure in a log and in a terminal is one mark on the line"


def test_the_next_run_of_the_same_source_ends_it() -> None:
    store = store_with(incident(), incident("f2", 3, "x = torch.ones(3)"))
    assert store.begin(SOURCE) == {"a.py"}
    assert len(store) == 0


def test_clearing_one_and_all() -> None:
    store = store_with(incident(), incident("f2", 3, "x = torch.ones(3)"))
    key = next(entry.key for entry in store if entry.incident.fingerprint == "f2")
    assert store.clear(key) == {"a.py"}
    assert lines(store) == [3]
    assert store.clear("no such key") == set()
    assert store.clear() == {"a.py"}
    assert len(store) == 0


def test_a_document_that_changed_outside_is_searched_for_the_line() -> None:
    store = store_with(incident())
    store.settle("a.py", Document("# new\n" * 7 + TEXT))
    assert lines(store) == [10]
    store.settle("a.py", Document("print('other')\n"))
    (entry,) = store.in_target("a.py")
    assert entry.incident.stale


def test_a_log_cannot_lead_out_of_the_workspace(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "secret.py").write_text("y = model(x)\n")
    frame = Frame(str(tmp_path / "secret.py"), 1, "f", "y = model(x)")
    outside = replace(incident(), user_frame=frame)
    assert place(outside, [tmp_path / "project"])[1] is None
    dotted = replace(incident(), user_frame=replace(frame, file="../secret.py"))
    assert place(dotted, [tmp_path / "project"])[1] is None
    assert place(outside, [tmp_path])[1] == str(tmp_path / "secret.py")


def test_a_folder_is_spelled_as_the_workspace_that_it_lies_in(tmp_path: Path) -> None:
    real, link, inside = tmp_path / "disk/project", tmp_path / "project", tmp_path / "project/src"
    (real / "src").mkdir(parents=True)
    link.symlink_to(real, target_is_directory=True)
    assert within(real / "src", [tmp_path / "other", link]) == inside
    assert within(inside, [link]) == inside
    assert within(inside, [real]) == real / "src"
    assert within(tmp_path, [link]) is None
    (tmp_path / "round").symlink_to(tmp_path / "round")
    assert within(tmp_path / "round", [link]) is None


def test_notebook_frames_lead_to_their_cells() -> None:
    frame = Frame("Cell In[3]", 2, "f", "x", cell=3)
    found = place(replace(incident(), user_frame=frame), [], {3: "cell:c3"}, "cell:c5")
    assert found[1:] == ("cell:c3", 1)
    assert place(replace(incident(), user_frame=replace(frame, cell=9)), [], {3: "cell:c3"}, "cell:c5")[1] == "cell:c5"


def test_the_outermost_cell_is_the_one_that_runs_whatever_number_another_bears() -> None:
    running, defined = Frame("Cell In[3]", 1, "<module>", "f()", cell=3), Frame("Cell In[2]", 2, "f", "x", cell=2)
    numbers = {2: "cell:defines", 3: "cell:before-the-restart"}
    raised = replace(incident(), frames=(running,), user_frame=running)
    assert place(raised, [], numbers, "cell:runs")[1:] == ("cell:runs", 0)
    deeper = replace(incident(), frames=(running, defined), user_frame=defined)
    assert place(deeper, [], numbers, "cell:runs")[1:] == ("cell:defines", 1)


def test_a_source_holds_so_many_and_counts_the_rest() -> None:
    store = IncidentStore()
    store.put(SOURCE, [(incident(f"f{number}", number + 1), "a.py", number) for number in range(MOST_PER_SOURCE + 5)])
    assert len(store) == MOST_PER_SOURCE
    assert store.dropped(SOURCE.identity) == 5
    assert lines(store)[0] == 5, "the oldest went"
    store.begin(SOURCE)
    assert store.dropped(SOURCE.identity) == 0


def test_what_nobody_wants_to_see_is_held_but_not_shown() -> None:
    store = IncidentStore(lambda entry: entry.incident.record != "a/b")
    store.put(SOURCE, [(incident("f1"), "a.py", 3), (incident("f2", record="a/c"), "a.py", 3)])
    assert [entry.incident.record for entry in store.in_target("a.py")] == ["a/c"]
    assert [entry.incident.record for entry in store.of_source(SOURCE.identity)] == ["a/c"]
    assert len(store.shown()) == 1
    assert len(store) == 2
