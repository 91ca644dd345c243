"""Plans repairs: works a record's edits out on the code at hand, and says of each remedy that does not fit why not.

A repair that is offered has been carried out on a copy of the text: its places exist, it changes something, and the
result parses. Nothing is written here.
"""

from __future__ import annotations

import contextlib
import logging
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from tree_sitter import Parser

from detour_lsp.knowledge.conditions import holds
from detour_lsp.knowledge.record import Clause, Record, Repair
from detour_lsp.source import patterns
from detour_lsp.source.apply import ApplyError
from detour_lsp.source.draft import Draft
from detour_lsp.source.edits import EDITS, EditFunction
from detour_lsp.source.edits.insertion import move_statement
from detour_lsp.source.edits.site import Site
from detour_lsp.source.finding import FileEdit, Finding, PlannedRepair, TextEdit
from detour_lsp.source.matching import header_span
from detour_lsp.source.names import Module
from detour_lsp.source.parsing import LANGUAGE, Lines, SourceTree
from detour_lsp.source.places import FINDING, FINDING_END, FRAME, Search
from detour_lsp.source.results import refuse_used
from detour_lsp.source.templates import Names, NotFound, Refused, fill_place, render

_log = logging.getLogger(__name__)

#: An edit that is still changing things after this many places does not settle.
MOST_PLACES = 1000
#: Above this size the second opinion of Python's own compiler is not asked for.
MOST_COMPILED = 1_000_000


@dataclass(frozen=True, slots=True)
class Place:
    """Where an incident's user frame stands in the file as it is now; `source` is the line as the log printed it."""

    path: str
    line: int
    function: str | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class _Situation:
    """Everything that a repair of one incident or finding is worked out from."""

    record: Record
    text: str
    path: str
    place: Place | None
    finding: Finding | None
    captures: Mapping[str, str] | None
    read: Callable[[str], str | None] | None
    files: Sequence[str]
    near: Sequence[str]
    #: The text parsed, once for all the repairs that are worked out on it.
    module: Module

    def search(self) -> Search:
        """Fresh drafts, with the frame and the finding marked."""
        draft = Draft(self.path, self.text, self.module)
        search = Search(self.path, {self.path: draft}, self.read, self.files, self.near)
        if self.place is not None:
            offset, search.frame_lost = _locate(self.text, self.place)
            if offset is not None:
                draft.mark(FRAME, offset)
        if self.finding is not None:
            draft.mark(FINDING, self.finding.start)
            draft.mark(FINDING_END, self.finding.end, end=True)
        return search


def plan(
    record: Record,
    *,
    text: str,
    path: str,
    incident_place: Place | None = None,
    finding: Finding | None = None,
    captures: Mapping[str, str] | None = None,
    torch: str | None = None,
    read: Callable[[str], str | None] | None = None,
    files: Sequence[str] = (),
    near: Sequence[str] = (),
    message: str | None = None,
    signature: int | None = None,
    others: Mapping[str, str | None] | None = None,
    language: str = "en",
    module: Module | None = None,
) -> list[PlannedRepair]:
    """The repairs of a record for one incident or finding: best first, those that do not fit last, with why not.

    `captures`, `message` and `signature` come from the incident; without them, remedies that depend on what the log
    says are left out. `read` and `files` open the rest of the workspace for records that ask for it; `near` are the
    other files of the traceback, in which a place is searched that the frame's own file does not have.
    """
    if finding is not None and text[finding.start : finding.start + 1] == "%":
        # A magic of IPython; edits are made in Python code.
        return []
    parsed = module or Module(text, path)
    situation = _Situation(record, text, path, incident_place, finding, captures, read, files, near, parsed)
    planned: list[PlannedRepair] = []
    own = record.dead_ends[finding.dead_end].repair if finding is not None else None
    if finding is not None and own is not None:
        base = _planned(record, own, language, captures, dead_end=finding.dead_end)
        planned.append(_worked_out(situation, [own], base))
    for index, workaround in enumerate(record.workarounds):
        if workaround.repair is None or workaround.refuted:
            continue
        base = _planned(record, workaround.repair, language, captures, workaround=index)
        search = situation.search()
        verdict = holds(
            workaround.when,
            captures,
            torch,
            lambda clause, search=search: search.exists(cast("Clause", _filled(clause, captures))),
            message=message,
            signature=signature,
            others=others,
            language=language,
        )
        if not verdict.applies:
            if verdict.known:
                planned.append(replace(base, disabled=verdict.why))
            continue
        if finding is None:
            planned.append(_worked_out(situation, [workaround.repair], base))
        elif own is not None and not any(item.dead_end is not None and item.workaround is not None for item in planned):
            both = replace(base, dead_end=finding.dead_end, title=_joined(own, workaround.repair, language))
            both = replace(both, applicability=_weaker(own, workaround.repair))
            result = _worked_out(situation, [own, workaround.repair], both)
            if not result.disabled:
                planned.append(result)
        elif own is None:
            result = _worked_out(situation, [workaround.repair], replace(base, dead_end=finding.dead_end))
            if not result.disabled:
                planned.append(result)
    return _ranked(planned)


def _planned(
    record: Record,
    repair: Repair,
    language: str,
    captures: Mapping[str, str] | None,
    *,
    workaround: int | None = None,
    dead_end: int | None = None,
) -> PlannedRepair:
    title = (repair.title_zh if language == "zh" else "") or repair.title
    # A title with a field that the log does not fill is still a title.
    with contextlib.suppress(Refused):
        title = render(title, Names(captures))
    return PlannedRepair(title, repair.applicability, record.id, workaround, dead_end)


def _joined(first: Repair, second: Repair, language: str) -> str:
    if language == "zh":
        return f"{first.title_zh or first.title}，并{second.title_zh or second.title}"
    return f"{first.title}, and {second.title[:1].lower()}{second.title[1:]}"


def _weaker(first: Repair, second: Repair) -> Any:
    order = ("safe", "unsafe", "display")
    return max(first.applicability, second.applicability, key=order.index)


def _ranked(planned: list[PlannedRepair]) -> list[PlannedRepair]:
    """Those that can be applied first, each change once; the first safe one is preferred."""
    offered: list[PlannedRepair] = []
    for item in planned:
        if not item.disabled and not any(item.files == other.files for other in offered):
            offered.append(item)
    best = next((i for i, item in enumerate(offered) if item.applicability == "safe"), None)
    offered = [replace(item, preferred=i == best) for i, item in enumerate(offered)]
    return [*offered, *(item for item in planned if item.disabled)]


def _worked_out(situation: _Situation, repairs: Sequence[Repair], base: PlannedRepair) -> PlannedRepair:
    """The planned repair with its edits, or with the reason why it cannot be made."""
    search = situation.search()
    try:
        for repair in repairs:
            _carry_out(search, repair.edits, situation.captures)
        changed = [draft for draft in search.drafts.values() if draft.changed and _says_more(draft)]
        if not changed:
            raise Refused("the code is already as the repair would make it")
        for draft in changed:
            check_result(draft)
    except Refused as reason:
        return replace(base, disabled=str(reason))
    except (re.error, IndexError, KeyError, TypeError, ValueError) as error:
        # Records come from strangers; one with values of the wrong kind must not cost the others their repairs.
        _log.warning("%s: a repair cannot be carried out", situation.record.id, exc_info=True)
        return replace(base, disabled=f"the record's edit cannot be carried out: {error}")
    except ApplyError as reason:
        return replace(base, disabled=f"its edits are in each other's way: {reason}")
    return replace(base, files=tuple(FileEdit(draft.path, draft.edits()) for draft in changed))


def _filled(clause: Any, captures: Mapping[str, str] | None) -> Any:
    return fill_place(clause, Names(captures))


# -- carrying out ----------------------------------------------------------------------------------------------------


def _carry_out(search: Search, edits: Sequence[Clause], captures: Mapping[str, str] | None) -> None:
    last: Draft = search.drafts[search.main]
    for edit in edits:
        try:
            last = _one(search, edit, Names(captures), last)
        except NotFound:
            if not edit.get("optional"):
                raise


def _one(search: Search, edit: Clause, names: Names, last: Draft) -> Draft:
    """One edit at its place or places; the draft that it worked on."""
    function = EDITS.get(str(edit["edit"])) if edit["edit"] != "move_statement" else _mover(search)
    if function is None:
        raise Refused(f"this version of Detour does not know the edit {edit['edit']!r}")
    names = _bound(search, edit, names)
    everywhere = isinstance(edit.get("at"), Mapping) and edit["at"].get("which") == "all"
    refusal: Refused | None = None
    round_, most = 0, MOST_PLACES
    while round_ < most:
        try:
            sites = _sites(search, edit, names, last)
        except NotFound:
            if round_ == 0:
                raise
            # The last edit has left no place that still reads as the record describes it.
            return last
        if round_ == 0:
            # Each place needs one round; where the text is broken, an edit may not show in the tree and never settle.
            most = min(MOST_PLACES, len(sites) + 1)
        for site in sites:
            last = site.draft
            try:
                refuse_used(site, edit)
                changes = function(site, edit, names.with_code(site.names))
            except Refused as reason:
                if not everywhere:
                    raise
                refusal = reason
                continue
            if changes and site.draft.change(changes):
                break
        else:
            if refusal is not None and round_ == 0:
                raise refusal
            return last
        if not everywhere:
            return last
        round_ += 1
    raise Refused("the edit does not come to an end")


def _mover(search: Search) -> EditFunction:
    """`move_statement` names two places, so it is the one edit that searches by itself."""

    def move(site: Site, clause: Clause, known: Names) -> list[TextEdit]:
        target = search.find(cast("str | Clause", fill_place(clause["to"], known)))[0]
        return move_statement(site, target, str(clause["where"]))

    return move


def _sites(search: Search, edit: Clause, names: Names, last: Draft) -> list[Site]:
    if "at" in edit:
        return search.find(cast("str | Clause", fill_place(edit["at"], names)))
    if edit["edit"] == "add_import":
        return [Site(last, last.module.tree.root)]
    if edit["edit"] == "guard_main":
        try:
            return search.find(FRAME)
        except NotFound:
            draft = search.drafts[search.main]
            return [Site(draft, draft.module.tree.root)]
    return search.find(FRAME)


def _bound(search: Search, edit: Clause, names: Names) -> Names:
    """More template names, from what the code at a place reads."""
    wanted: Any = edit.get("bind", ())
    items = cast("Sequence[Clause]", [wanted] if isinstance(wanted, Mapping) else wanted)
    for item in items:
        site = search.find(cast("str | Clause", fill_place(item.get("at", FRAME), names)))[0]
        source = site.draft.source(*header_span(site.draft, site.node))
        match = patterns.search(str(item["pattern"]), source)
        if match is None:
            raise NotFound("the code at the place does not read as the repair expects")
        names = names.with_code({name: text for name, text in match.groupdict().items() if text is not None})
    return names


# -- checking --------------------------------------------------------------------------------------------------------


def _says_more(draft: Draft) -> bool:
    """Whether anything but blank lines has changed (a statement that was taken out and put in again)."""
    before, after = ([line for line in text.split("\n") if line.strip()] for text in (draft.original, draft.text))
    return before != after


def check_result(draft: Draft) -> None:
    """Refuse a result that is worse Python than the text was."""
    before, after = draft.before.tree, draft.module.tree
    if after.broken and (not before.broken or _errors(after.text) > _errors(before.text)):
        raise Refused("the code would not parse afterwards")
    change = draft.stretch
    delta = len(draft.text) - len(draft.original)
    old = _touched(before, change.start, change.old_end)
    new = _touched(after, change.start, change.old_end + delta)
    # What one of them sees as one statement may be several in the other.
    start, end = draft.text.rfind("\n", 0, min(old[0], new[0])) + 1, max(old[1] + delta, new[1])
    if end - start >= MOST_COMPILED:
        return
    if _compiles(draft.original[start : end - delta]) and not _compiles(draft.text[start:end]):
        raise Refused("the code would not compile afterwards")


def _touched(tree: SourceTree, start: int, end: int) -> tuple[int, int]:
    """Where the statements of the module begin and end that a stretch touches: what an edit breaks, it breaks in them.

    Only `from __future__` depends on what stands above it.
    """
    if tree.broken:
        return 0, len(tree.text)
    future = tree.text.rfind("__future__")
    if start <= future:
        start, end = 0, max(end, future)
    nodes = [node for node in tree.root.children if tree.end(node) >= start and tree.start(node) <= end]
    return (tree.start(nodes[0]), max(tree.end(nodes[-1]), end)) if nodes else (start, end)


def _errors(text: str) -> int:
    root = Parser(LANGUAGE).parse(text.encode("utf-8", "surrogatepass")).root_node
    if not root.has_error:
        return 0
    count, stack = 0, [root]
    while stack:
        node = stack.pop()
        count += node.is_error or node.is_missing
        stack.extend(child for child in node.children if child.has_error or child.is_missing)
    return count


def _compiles(text: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "<repair>", "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
            return False
    return True


def _locate(text: str, place: Place) -> tuple[int | None, str]:
    """Offset of the frame's line, found again by its source if it has moved, or why it is lost."""
    lines = re.split(r"\r\n|\n|\r", text)
    wanted = place.source.strip().splitlines()[0] if place.source and place.source.strip() else None
    line = place.line
    if wanted is not None and not (0 < line <= len(lines) and _reads(lines[line - 1], wanted)):
        same = [number for number, source in enumerate(lines, 1) if _reads(source, wanted)]
        if not same:
            return None, f"line {place.line} no longer reads as in the log"
        line = min(same, key=lambda number: abs(number - place.line))
    if not 0 < line <= len(lines):
        return None, f"the file has no line {place.line} any more"
    offset = Lines(text).offset(line)
    return offset + len(lines[line - 1]) - len(lines[line - 1].lstrip()), ""


def _reads(line: str, wanted: str) -> bool:
    """Whether a line is the one that a log shows: white space, a comment behind it, or a cut end do not matter."""
    ours, theirs = "".join(line.split()), "".join(wanted.split())
    if ours == theirs:
        return True
    return bool(theirs) and ours.startswith(theirs) and (len(theirs) >= 20 or ours[len(theirs)] == "#")
