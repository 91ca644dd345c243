"""Finds the places that an `at` names: the frame's statement, the finding, or what a selector reaches in the code.

The log says only a file and a line. What has to change often stands elsewhere (where the layer was made, where the
model was compiled), so a place is searched, and the best of several is the one that the frame's statement uses, then
the one nearest to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from tree_sitter import Node

from detour_lsp.knowledge.record import Clause
from detour_lsp.source.calls import Call
from detour_lsp.source.draft import Draft
from detour_lsp.source.edits.site import Site, ancestors, header_end, is_statement
from detour_lsp.source.matching import header_span, heads, matching, only_call
from detour_lsp.source.objects import definition_of, origin_of
from detour_lsp.source.parsing import walk
from detour_lsp.source.templates import NotFound, Refused
from detour_lsp.source.writes import WRITING, writes_of

FRAME, FINDING, FINDING_END = "frame", "finding", "finding end"
#: The keys of a place that ask what a call passes.
_NARROWING = frozenset({"keyword", "missing", "position", "arguments", "value"})
#: No more other files than this are searched for a place of `scope: workspace`.
MOST_FILES = 500


@dataclass(slots=True)
class Search:
    """Where places are searched: the drafts of the repair so far, and how to get at further files."""

    main: str
    drafts: dict[str, Draft] = field(default_factory=dict[str, Draft])
    read: Callable[[str], str | None] | None = None
    files: Sequence[str] = ()
    #: The other files of the traceback, where a place is searched that the frame's own file does not have.
    near: Sequence[str] = ()
    #: Why the frame's line cannot be used (the file has changed since), if so.
    frame_lost: str = ""

    def draft(self, path: str) -> Draft | None:
        """The draft of a file, read when first asked for."""
        if path not in self.drafts:
            text = self.read(path) if self.read is not None else None
            if text is None:
                return None
            self.drafts[path] = Draft(path, text)
        return self.drafts[path]

    def find(self, at: str | Clause) -> list[Site]:
        """The sites of an `at`, each narrowed to the part that it asks for. Raises NotFound."""
        if isinstance(at, str):
            return [self._word(at)]
        draft = self.drafts[self.main]
        sites = self._chosen(draft, at)
        if not sites and at.get("scope", "file") in ("file", "workspace"):
            sites = self._elsewhere(at, self.near)
        if not sites and at.get("scope") == "workspace":
            sites = self._elsewhere(at, self.files)
        if not sites:
            raise NotFound(f"the code has no {describe(at)}")
        return [narrow(site, at) for site in sites]

    def exists(self, at: Clause) -> bool:
        """Whether a place exists, for `with` and `without`."""
        try:
            if self._candidates(self.drafts[self.main], at):
                return True
        except Refused:
            return False
        if at.get("scope") != "workspace":
            return False
        try:
            return bool(self._elsewhere(at, self.near) or self._elsewhere(at, self.files))
        except Refused:
            # Several that may be meant.
            return True

    # -- words -----------------------------------------------------------------------------------------------------

    def _word(self, at: str) -> Site:
        draft = self.drafts[self.main]
        if at == FINDING:
            start, end = draft.marked(FINDING), draft.marked(FINDING_END)
            if start is None or end is None:
                raise NotFound("there is no finding")
            return found_site(draft, start, end)
        if self.frame_lost:
            raise NotFound(self.frame_lost)
        statement = frame_statement(draft)
        if statement is None:
            raise NotFound("the log names no line of this file")
        return Site(draft, statement, only_call(draft.module, statement))

    # -- choosing --------------------------------------------------------------------------------------------------

    def _chosen(self, draft: Draft, at: Clause) -> list[Site]:
        candidates = self._candidates(draft, at)
        which = at.get("which", "nearest")
        if which == "all" or not candidates:
            return candidates
        if which in ("first", "last"):
            return [candidates[0 if which == "first" else -1]]
        frame = frame_statement(draft) or _finding_statement(draft)
        if frame is None:
            if len(candidates) > 1:
                raise Refused(
                    f"the code has {len(candidates)} places that may be meant, and the log does not tell which"
                )
            return candidates
        if which == "previous":
            return [site for site in candidates if site.node.end_byte <= frame.start_byte][-1:]
        if which == "next":
            return [site for site in candidates if site.node.start_byte >= frame.end_byte][:1]
        best = min(candidates, key=lambda site: _distance(site, frame))
        return [] if self._other_meant(draft, at, best, frame) else [best]

    def _other_meant(self, draft: Draft, at: Clause, best: Site, frame: Node) -> bool:
        """Whether the frame points at a call of the same kind that does not pass what the place asks for.

        That one is meant, and as it passes something else (because it is repaired already), nothing is to be done; a
        like call elsewhere that happens to pass it is not at fault.
        """
        narrowing = _NARROWING & at.keys()
        if not narrowing or "*" in heads(at) or any(name.startswith(".") for name in heads(at)):
            return False
        wider = {key: value for key, value in at.items() if key not in narrowing}
        closest = min((_distance(site, frame) for site in self._candidates(draft, wider)), default=None)
        return closest is not None and closest[0] < 2 <= _distance(best, frame)[0]

    def _candidates(self, draft: Draft, at: Clause) -> list[Site]:
        # For a finding, its own statement is what a place near the frame means.
        frame = None if self.frame_lost else frame_statement(draft) or _finding_statement(draft)
        if self.frame_lost and (at.get("scope") in ("frame", "function", "class") or at.get("feeds") == "frame"):
            raise NotFound(self.frame_lost)
        within = _within(draft, at.get("scope", "file"), frame)
        if within is None:
            return []
        sites = [site for site in matching(draft, at) if within(site.node)]
        if at.get("feeds") == "frame":
            if frame is None:
                return []
            used = _words(draft.source(*header_span(draft, frame)))
            sites = [site for site in sites if site.statement().id != frame.id and _assigned_words(site) & used]
        return sites

    def _elsewhere(self, at: Clause, paths: Sequence[str]) -> list[Site]:
        """The places in other files; those that import the frame's module go first."""
        words = {name.rpartition(".")[2].strip("*?") for name in heads(at)}
        stem = re.split(r"[\\/]", self.main)[-1].removesuffix(".py")
        found: dict[str, tuple[bool, list[Site]]] = {}
        for path in paths[:MOST_FILES]:
            if path == self.main:
                continue
            known = path in self.drafts
            draft = self.draft(path)
            if draft is None or (words and not any(word in draft.text for word in words)):
                if not known:
                    self.drafts.pop(path, None)
                continue
            sites = matching(draft, at)
            if sites:
                imports = (
                    re.search(rf"^\s*(from|import)\b.*\b{re.escape(stem)}\b", draft.text, re.MULTILINE) is not None
                )
                found[path] = (imports, sites)
            elif not known:
                self.drafts.pop(path, None)
        near = {path: sites for path, (imports, sites) in found.items() if imports}
        rest = near or {path: sites for path, (_, sites) in found.items()}
        every = [site for sites in rest.values() for site in sites]
        if at.get("which") == "all" or len(every) < 2:
            return every
        if len(rest) == 1 and at.get("which") in ("first", "last"):
            return [every[0 if at["which"] == "first" else -1]]
        raise Refused(f"{len(every)} places in {', '.join(sorted(rest)[:3])} may be meant")


# -- the frame and the finding --------------------------------------------------------------------------------------


def frame_statement(draft: Draft) -> Node | None:
    """The statement on the line of the incident's user frame."""
    offset = draft.marked(FRAME)
    if offset is None:
        return None
    line, _ = draft.module.tree.position(offset)
    return draft.module.statement_at(line)


def _finding_statement(draft: Draft) -> Node | None:
    offset = draft.marked(FINDING)
    return None if offset is None else draft.module.statement_at(draft.module.tree.position(offset)[0])


def found_site(draft: Draft, start: int, end: int) -> Site:
    """The site of a stretch that a finding marks."""
    module = draft.module
    node = module.tree.node_at(start, end)
    span = (node.start_byte, node.end_byte)
    while node.parent is not None and (node.parent.start_byte, node.parent.end_byte) == span and not is_statement(node):
        node = node.parent
    value: Node | None = None
    call: Call | None = None
    around = [node, *ancestors(node)]
    for item in around:
        if item.type in WRITING:
            value = next((w.value for w in writes_of(module, item) if _same_span(w.node, node)), None)
            if value is not None:
                break
        if is_statement(item):
            break
    for item in [*walk(node), *around]:
        if call is None and (item.type == "call" or (item.parent is not None and item.parent.type == "decorator")):
            if item in around and not _same_span(item, node) and value is None and item.type == "call":
                call = module.call(item)
                break
            call = module.call(item)
    return Site(draft, node, call, value)


def _same_span(one: Node, other: Node) -> bool:
    return one.start_byte == other.start_byte and one.end_byte == other.end_byte


# -- scope and distance ----------------------------------------------------------------------------------------------


def _within(draft: Draft, scope: str, frame: Node | None) -> Callable[[Node], bool] | None:
    if scope in ("file", "workspace"):
        return lambda node: True  # noqa: ARG005
    if frame is None:
        return None
    if scope == "frame":
        start, end = frame.start_byte, (header_end(frame) or frame).start_byte
        body = header_end(frame)
        end = body.start_byte if body is not None else frame.end_byte
        return lambda node: start <= node.start_byte < end
    module = draft.module
    outer = module.function_of(frame) if scope == "function" else module.class_of(frame)
    if frame.type == ("function_definition" if scope == "function" else "class_definition"):
        outer = frame
    if outer is None:
        if scope == "class":
            return None
        # The frame is in the module itself: what belongs to no function belongs to it.
        return lambda node: module.function_of(node) is None
    return lambda node: outer.start_byte <= node.start_byte and node.end_byte <= outer.end_byte


def _distance(site: Site, frame: Node) -> tuple[int, int, int]:
    module = site.draft.module
    node = site.node
    body = header_end(frame)
    frame_end = body.start_byte if body is not None else frame.end_byte
    if frame.start_byte <= node.start_byte < frame_end:
        return (0, node.start_byte, 0)
    behind = int(node.start_byte > frame.start_byte)
    apart = abs(node.start_byte - frame.start_byte)
    used = _words(
        site.draft.source(module.tree.start(frame), module.tree.start(body) if body else module.tree.end(frame))
    )
    if (not behind or module.function_of(node) is not None) and _assigned_words(site) & used:
        return (1, behind, apart)
    here, there = module.function_of(frame), module.function_of(node)
    if (here.id if here else None) == (there.id if there else None):
        return (2, behind, apart)
    return (3, 0, apart)


def _words(source: str) -> set[str]:
    """The names that a piece of code uses, dotted ones whole and in their leading parts (`self.fc`, `model`)."""
    found: set[str] = set()
    for match in re.finditer(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*", source):
        parts = match[0].split(".")
        for length in range(1, len(parts) + 1):
            found.add(".".join(parts[:length]))
    return found - {"self", "cls"}


def _assigned_words(site: Site) -> set[str]:
    """The names that the site's statement gives a value (`model`, `self.fc`), also through `with ... as` and `for`."""
    statement = site.statement()
    inner = (
        statement.named_children[0]
        if statement.type == "expression_statement" and statement.named_children
        else statement
    )
    if inner.type in ("assignment", "augmented_assignment"):
        left = inner.child_by_field_name("left")
        return _words(site.source(left)) if left is not None else set()
    if site.call is not None and site.call.definition is not None:
        name = site.call.definition.child_by_field_name("name")
        if name is not None:
            return {site.source(name), f"self.{site.source(name)}"}
    if inner.type == "expression_statement" and site.call is not None and site.call.receiver is not None:
        return _words(site.source(site.call.receiver))
    return set()


# -- parts -----------------------------------------------------------------------------------------------------------


def narrow(site: Site, at: Clause) -> Site:
    """The part of a site that the place asks for."""
    if "argument" in at or "keyword_value" in at:
        return _argument(site, at)
    if at.get("receiver") is True:
        if site.call is None or site.call.receiver is None:
            raise NotFound("the call is not that of a method")
        return _part(site, site.call.receiver)
    if at.get("callee") is True:
        if site.call is None:
            raise NotFound("the place is not a call")
        return _part(site, site.call.function)
    if at.get("right_side") is True:
        right = site.value or _right(site)
        if right is None:
            raise NotFound("the place assigns nothing")
        return _part(site, right)
    if at.get("assigned") is True:
        return _assigned(site)
    if at.get("definition") is True:
        return _definition(site)
    return site


def _part(site: Site, node: Node) -> Site:
    call = site.draft.module.call(node) if node.type == "call" else None
    return replace(site, node=node, call=call, value=None)


def _argument(site: Site, at: Clause) -> Site:
    call = site.call
    if call is None:
        raise NotFound("the place is not a call")
    keyword = call.keywords.get(str(at.get("keyword_value", "")))
    if keyword is not None:
        return _part(site, keyword.value)
    index = at.get("argument")
    if isinstance(index, int) and not call.star and -len(call.arguments) <= index < len(call.arguments):
        return _part(site, call.arguments[index])
    raise NotFound("the call does not pass that argument")


def _right(site: Site) -> Node | None:
    for node in walk(site.statement(), "assignment", "augmented_assignment"):
        return node.child_by_field_name("right")
    return None


def _assigned(site: Site) -> Site:
    for node in (site.node, *ancestors(site.node)):
        if node.type == "assignment":
            left = node.child_by_field_name("left")
            if left is not None:
                return _part(site, left)
        if is_statement(node):
            break
    raise NotFound("the call is not assigned to a name")


def _definition(site: Site) -> Site:
    module = site.draft.module
    node = site.call.function if site.call is not None else site.node
    if site.call is not None and site.call.definition is not None:
        return _part(site, site.call.definition)
    if node.type in ("function_definition", "class_definition"):
        return site
    found = definition_of(module, node)
    if found is None:
        origin = origin_of(module, node)
        found = definition_of(module, origin.function) if origin is not None else None
    if found is None:
        found = module.function_of(site.node)
    if found is None:
        raise NotFound("the definition is not in this file")
    return _part(site, found)


def describe(at: Clause) -> str:
    """A place in words, for messages."""
    what = "such statement" if "statement" in at else " or ".join(heads(at)[:3])
    keywords = [f"{name}=" for name in cast("Mapping[str, object]", at.get("keyword") or {})]
    where = {"frame": " on the line", "function": " in the function", "class": " in the class"}.get(
        at.get("scope", ""), ""
    )
    return f"{what}({', '.join(keywords)}){where}" if keywords else f"{what or 'such place'}{where}"
