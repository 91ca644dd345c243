"""Puts a card together: verdict first, then cause, dead ends, workarounds, versions, related errors, sources, date.

What evidence refutes is never shown as true: the corrected fact stands in its place, and the card says so.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from detour_lsp.card.labels import Language, label
from detour_lsp.card.markdown import code_block, code_span, prose, source_link
from detour_lsp.knowledge.capture_names import words
from detour_lsp.knowledge.conditions import holds
from detour_lsp.knowledge.record import Clause, DeadEnd, Evidence, Record, Workaround

#: More sources than this are for the record's page, not for a hover.
MAX_SOURCES = 6
#: More versions of a package than this are shown as a range.
MAX_VERSIONS = 3


@dataclass(frozen=True, slots=True)
class CardContext:
    """What is known about the place that the card is for; everything may be left out."""

    language: Language = "en"
    #: None where there is no log, only code or a record's id.
    captures: Mapping[str, str] | None = None
    message: str | None = None
    torch: str | None = None
    #: Whether a place (docs/architecture.md) exists in the code of the frame's file; None when there is no code.
    code: Callable[[Clause], bool] | None = None
    #: Index of the signature that matched, for `when`.
    signature: int | None = None
    level: str = "error"
    #: The dead end that a finding is about; it is shown first.
    dead_end: int | None = None
    ranks: tuple[int, ...] = ()
    count: int = 1
    truncated: bool = False
    stale: bool = False


def title_of(record: Record, language: Language = "en") -> str:
    """The record's short name: its title, else the first line of its signature, without the exception's path."""
    title = (record.title_zh if language == "zh" else "") or record.title
    return title or record.signature.partition("\n")[0][:90]


def one_line(record: Record, context: CardContext | None = None) -> str:
    """What a squiggle, a list entry or a link tooltip says: name and recommended remedy."""
    context = context or CardContext()
    name = title_of(record, context.language)
    action = best_action(record, context)
    return f"{name}. {action}" if action else name


def best_action(record: Record, context: CardContext) -> str:
    """The recommended remedy that applies here, in the context's language; empty where none does.

    For a finding that is to take the dead end out again, where the record knows how.
    """
    if context.dead_end is not None and context.dead_end < len(record.dead_ends):
        repair = record.dead_ends[context.dead_end].repair
        if repair is not None:
            return (repair.title_zh if context.language == "zh" else "") or repair.title
    best = next((item.workaround for item in _ranked(record, context) if item.applies), None)
    return _action(best, context.language) if best else ""


def compose_card(record: Record, context: CardContext | None = None) -> str:
    """The whole card as Markdown, escaped so that nothing of a log or record can become a link or markup."""
    context = context or CardContext()
    blocks = [
        *_heading(record, context),
        *_verdict(record, context),
        *_cause(record, context),
        *_dead_ends(record, context),
        *_workarounds(record, context),
        *_footer(record, context),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _heading(record: Record, context: CardContext) -> Iterator[str]:
    tier = label(f"tier_{record.verification_tier}", context.language)
    facts = [code_span(record.id), tier]
    if context.count > 1:
        facts.append(label("seen", context.language, count=context.count))
    if len(context.ranks) > 1:
        facts.append(f"{label('ranks', context.language)} {_ranges(context.ranks)}")
    yield f"### {prose(title_of(record, context.language))}"
    yield " · ".join(facts)


def _verdict(record: Record, context: CardContext) -> Iterator[str]:
    language = context.language
    if context.level == "symptom":
        yield f"**{label('symptom', language)}**"
    action = best_action(record, context)
    if action:
        yield f"**{label('do', language)}:** {prose(action)}"
    else:
        yield f"**{label('no_fix', language)}**"
    if context.dead_end is not None and context.dead_end < len(record.dead_ends):
        dead_end = record.dead_ends[context.dead_end]
        yield f"**{label('do_not', language)}:** {_dead_end_text(dead_end, language)}"
    if context.truncated:
        yield f"*{label('truncated', language)}*"
    if context.stale:
        yield f"*{label('stale', language)}*"


def _cause(record: Record, context: CardContext) -> Iterator[str]:
    language = context.language
    claimed = (record.root_cause_zh if language == "zh" else "") or record.root_cause
    corrected = (record.correction_zh if language == "zh" else "") or record.correction
    text = prose(corrected or claimed)
    if corrected:
        text += f" *({label('refuted', language)}.)*"
    yield f"**{label('why', language)}.** {text}"
    shown = {name: value for name, value in (context.captures or {}).items() if value and not name.startswith("_")}
    if shown:
        chinese = language == "zh"
        values = ", ".join(
            f"{prose(words(name, chinese=chinese))} {code_span(value[:200])}" for name, value in shown.items()
        )
        yield f"**{label('values', language)}:** {values}"


def _dead_ends(record: Record, context: CardContext) -> Iterator[str]:
    order = sorted(range(len(record.dead_ends)), key=lambda index: index != context.dead_end)
    items = [record.dead_ends[index] for index in order if index != context.dead_end]
    if items:
        lines = "\n".join(f"- ✗ {_dead_end_text(item, context.language)}" for item in items)
        yield f"**{label('dead_ends', context.language)}**\n\n{lines}"


def _dead_end_text(dead_end: DeadEnd, language: Language) -> str:
    action = prose((dead_end.action_zh if language == "zh" else "") or dead_end.action)
    refuting = [item for item in dead_end.evidence if item.outcome == "refuted"]
    if refuting:
        facts = " ".join(dict.fromkeys(_note(item, language) for item in refuting))
        return f"{action}: {prose(facts)} *({label('refuted', language)}: {_runs(refuting)}.)*"
    why = prose((dead_end.why_fails_zh if language == "zh" else "") or dead_end.why_fails)
    return f"{action}: {why}{_rate(dead_end.fail_rate, dead_end.evidence, dead_end.sources, 'fails', language)}"


def _workarounds(record: Record, context: CardContext) -> Iterator[str]:
    language = context.language
    lines: list[str] = []
    number = 0
    for item in _ranked(record, context):
        action = prose(_action(item.workaround, language))
        if not item.applies:
            lines.append(f"- ~~{action}~~ **{label('not_here', language)}:** {prose(item.why)}")
            continue
        number += 1
        rate = _rate(item.workaround.success_rate, item.workaround.evidence, item.workaround.sources, "works", language)
        condition = f" **{label(item.caveat, language)}:** {prose(item.why)}" if item.why else ""
        lines.append(f"{number}. {action}{rate}{condition}")
        how = (item.workaround.how_zh if language == "zh" else "") or item.workaround.how
        if how and how != item.workaround.action:
            body = code_block(how, code_language(how)) if _is_code(how) else prose(how)
            lines.append("\n".join(f"   {line}" for line in body.splitlines()))
    if lines:
        yield f"**{label('workarounds', language)}**\n\n" + "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Ranked:
    workaround: Workaround
    applies: bool
    #: Why it does not apply; or, where only a log could tell, on what that depends.
    why: str
    #: What the card calls `why` where the workaround may apply: `why` of a record names the case in which it does not.
    caveat: str = "only_if"


def _ranked(record: Record, context: CardContext) -> list[_Ranked]:
    """Workarounds as the card lists them: those that apply or may apply first, then the others, each with why not."""
    ranked: list[_Ranked] = []
    for workaround in record.workarounds:
        if workaround.refuted:
            notes = " ".join(_note(e, context.language) for e in workaround.evidence if e.outcome == "refuted")
            ranked.append(_Ranked(workaround, False, notes))
            continue
        verdict = holds(
            workaround.when,
            context.captures,
            context.torch,
            context.code,
            message=context.message,
            signature=context.signature,
            language=context.language,
        )
        if verdict.applies:
            ranked.append(_Ranked(workaround, True, ""))
        elif not verdict.known:
            if workaround.when.get("why"):
                ranked.append(_Ranked(workaround, True, verdict.why, "not_if"))
            else:
                ranked.append(_Ranked(workaround, True, workaround.condition or verdict.why))
        else:
            ranked.append(_Ranked(workaround, False, verdict.why))
    return sorted(ranked, key=lambda item: not item.applies)


def _footer(record: Record, context: CardContext) -> Iterator[str]:
    language = context.language
    facts: list[str] = []
    bounds = _versions(record)
    if bounds:
        facts.append(f"**{label('versions', language)}:** {', '.join(code_span(bound) for bound in bounds)}")
    related = [
        f"{label(name, language)} " + ", ".join(code_span(other) for other in getattr(record.transition_graph, name))
        for name in ("leads_to", "preceded_by", "frequently_confused_with")
        if getattr(record.transition_graph, name)
    ]
    if related:
        facts.append(f"**{label('related', language)}:** " + "; ".join(related))
    cited = [record.official_doc_url, *record.sources] if record.official_doc_url else record.sources
    sources = list(dict.fromkeys(cited))
    if sources:
        links = " · ".join(source_link(source) for source in sources[:MAX_SOURCES])
        facts.append(f"**{label('sources', language)}:** {links}")
    tier = label(f"tier_{record.verification_tier}", language)
    facts.append(f"*{tier}, {label('confirmed', language)} {prose(record.last_confirmed)}*")
    yield "\n\n".join(facts)


def _versions(record: Record) -> list[str]:
    """The versions that a record speaks of; where runs refuted its claims, those that really print its wordings."""
    printed = [", ".join(signature.versions) for signature in record.signatures if signature.versions]
    if record.correction and printed:
        return list(dict.fromkeys(printed))
    return [bound.version for bound in record.versions]


def _action(workaround: Workaround, language: Language) -> str:
    return (workaround.action_zh if language == "zh" else "") or workaround.action


def _note(item: Evidence, language: Language) -> str:
    return (item.note_zh if language == "zh" else "") or item.note


def _rate(
    rate: float | None, evidence: tuple[Evidence, ...], sources: tuple[str, ...], verb: str, language: Language
) -> str:
    """In parentheses: where it was run, or else the rate, which is then an estimate, and a source for the statement.

    A source says that something helps or fails, and hardly ever how often: the number rests on nothing but judgement.
    """
    confirmed = [item for item in evidence if item.outcome == "confirmed"]
    if confirmed:
        parts = [label(f"{verb}_run", language, runs=_runs(confirmed))]
    else:
        parts = [label("partly", language)] if any(item.outcome == "partly" for item in evidence) else []
        parts += [label(f"{verb}_estimate", language, rate=f"{rate:.0%}")] if rate is not None else []
        parts += [label("see", language, source=source_link(sources[0]))] if sources else []
    separator = "；" if language == "zh" else "; "
    return f" *({separator.join(parts)})*" if parts else ""


def _runs(items: list[Evidence]) -> str:
    """Where it was run; many versions of one package as a range with their number."""
    versions: dict[str, list[str]] = {}
    for item in items:
        versions.setdefault(item.package, []).extend(v.strip() for v in item.version.split(",") if v.strip())
    parts: list[str] = []
    for package, found in versions.items():
        ordered = sorted(dict.fromkeys(found), key=_version_key)
        if len(ordered) > MAX_VERSIONS:
            parts.append(f"{package} {ordered[0]} – {ordered[-1]} ({len(ordered)})")
        else:
            parts.append(f"{package} {', '.join(ordered)}")
    return prose(", ".join(parts))


def _version_key(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version))


def _is_code(text: str) -> bool:
    if "\n" in text.strip():
        return True
    return not text.rstrip().endswith(".") and any(sign in text for sign in ("(", "=", "import ", " --"))


def code_language(text: str) -> str:
    """`python` for what Python can read, `sh` for everything else that a remedy shows: commands and settings."""
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "sh"
    return "python"


def _ranges(ranks: tuple[int, ...]) -> str:
    """Ranks as people write them: `0-3, 7`."""
    runs: list[list[int]] = []
    for rank in sorted(set(ranks)):
        if runs and rank == runs[-1][1] + 1:
            runs[-1][1] = rank
        else:
            runs.append([rank, rank])
    return ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in runs)
