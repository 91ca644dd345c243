"""Keeps a syntax error local: mends or blanks the statements that do not parse, so that the rest still reads.

A parser that meets an unclosed bracket reads everything behind it as its arguments. While somebody types, that is the
normal state of a file, and findings elsewhere must not flicker. So a broken text is cut into logical lines, and each
that does not parse alone is replaced: by itself with one token added, by a header of the same kind when a block hangs
on it, or by nothing. Lines keep their numbers, and lines that were whole keep every character.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from detour_lsp.source.logical_lines import LogicalLine, logical_lines

Parses = Callable[[str], bool]

_TOKEN = re.compile(
    r"(?P<string>[a-zA-Z]{0,2}(?:\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'))"
    r"|(?P<comment>#[^\n]*)|(?P<name>[^\W\d]\w*)|(?P<number>[\d.][\w.]*)|(?P<other>[^\s\w])",
    re.DOTALL,
)
_FIRST = re.compile(r"(?:async\s+)?([^\W\d]\w*|@)")
_COMPOUND = frozenset(
    {"def", "class", "if", "elif", "else", "for", "while", "with", "try", "except", "finally"}
)  # `match` and `case` are names in most files
_INSERTED = ("_", ",", ")", "(", "]", ":", "=", "in", ".", "import", "}", "[", "{")
_IN_FRONT = ("_", "def", "class", "for", "except", "with", "if", "from", "import", "@")
_MOST_TOKENS = 60
_MOST_TEXT = 4000
_TIMED = re.compile(r"%+(?:time|timeit|prun|memit)\b(?:\s+-\w+(?:\s*\d+)?)*\s")
#: `%env NAME=value` sets a variable as Python code would; a value with `$` or braces is not known.
_ENVIRONMENT = re.compile(r"%(?:set_)?env\s+(\w+)(?:\s*=\s*|\s+)([^\s${}\"'\\][^\n${}\"'\\]*?)\s*$")
_TARGET = re.compile(r"([^\W\d][\w.]*)\s*(?::[^=\n]+)?=(?!=)")
_FOLLOWS = {
    "else": frozenset({"if", "elif", "for", "while", "except", "try"}),
    "elif": frozenset({"if", "elif"}),
    "except": frozenset({"try", "except"}),
    "finally": frozenset({"try", "except", "else"}),
}


def patched(text: str, parses: Parses) -> str:
    """A text with as many lines, in which the broken statements are mended or blank."""
    lines = logical_lines(text)
    mended = [_mended(text, line, _has_body(lines, index), parses) for index, line in enumerate(lines)]
    indents = _levelled(lines, mended)
    _join(indents, mended)
    parts: list[str] = []
    position = 0
    for line, replacement, indent in zip(lines, mended, indents, strict=True):
        before = text[position : line.start]
        parts.append(before if indent == line.indent else before[: before.rfind("\n") + 1] + " " * indent)
        original = text[line.start : line.end]
        parts.append(replacement)
        if replacement != original:
            parts.append("\n" * (original.count("\n") - replacement.count("\n")))
        position = line.end
    parts.append(text[position:])
    return "".join(parts)


def _levelled(lines: list[LogicalLine], mended: list[str]) -> list[int]:
    """Indents that fit together: what was deleted in front of a line may leave a blank too many."""
    levels = [lines[0].indent if lines else 0]
    found: list[int] = []
    opened = False
    for index, (line, source) in enumerate(zip(lines, mended, strict=True)):
        indent = line.indent
        if opened and indent > levels[-1]:
            following = lines[index + 1].indent if index + 1 < len(lines) else indent
            indent = following if levels[-1] < following < indent <= following + 2 else indent
            levels.append(indent)
        elif indent >= levels[-1]:
            indent = levels[-1]
        else:
            above = levels[-1]
            while len(levels) > 1 and levels[-1] > indent:
                above = levels.pop()
            if levels[-1] != indent:
                if len(levels) == 1 and indent < levels[0]:
                    levels = [indent]
                elif above - indent < indent - levels[-1]:
                    levels.append(above)
            indent = levels[-1]
        found.append(indent)
        if source.strip():
            opened = _opens(source)
    return found


def _opens(source: str) -> bool:
    """Whether a block must follow: the line ends with a colon, comments aside."""
    if not source.rstrip().endswith(":") and "#" not in source[source.rstrip().rfind("\n") + 1 :]:
        return False
    tokens = [match for match in _TOKEN.finditer(source) if match.lastgroup != "comment"]
    return bool(tokens) and tokens[-1][0] == ":"


def _has_body(lines: list[LogicalLine], index: int) -> bool:
    return index + 1 < len(lines) and lines[index + 1].indent > lines[index].indent


def _mended(text: str, line: LogicalLine, has_body: bool, parses: Parses) -> str:
    source = text[line.start : line.end]
    # Most lines of a file are the same from one keystroke to the next.
    return _mend(source, has_body, line.open, parses)


@lru_cache(maxsize=65536)
def _mend(source: str, has_body: bool, open_brackets: str, parses: Parses) -> str:
    if source.startswith(("%", "!", "?")):
        setting = _ENVIRONMENT.match(source)
        if setting is not None:
            return f"os.environ[{setting[1]!r}] = {setting[2]!r}"
        timed = _TIMED.match(source)
        rest = source[timed.end() :] if timed is not None else ""
        # `_;` keeps the columns of what is timed, and the line's indent.
        return "_;".ljust(len(source) - len(rest)) + rest if rest and parses(rest) else ""
    if _reads(source, has_body, parses):
        return source
    is_header = has_body and (_word(source) in _COMPOUND or _opens(source))
    for candidate in _candidates(source, has_body, open_brackets):
        candidate = candidate.lstrip()
        if not candidate or (is_header and not _opens(candidate)):
            continue
        if candidate.count("\n") <= source.count("\n") and _reads(candidate, has_body, parses):
            return candidate
    if has_body:
        return _header(source)
    target = _TARGET.match(source)
    return f"{target[1]} = _" if target is not None else ""


def _word(source: str) -> str:
    match = _FIRST.match(source)
    return match[1] if match is not None else ""


def _reads(source: str, has_body: bool, parses: Parses) -> bool:
    """Whether a logical line parses by itself, in the company that its kind needs."""
    word = _word(source)
    if word == "@":
        return parses(f"{source}\ndef f(): pass\n")
    before = {"else": "if x:\n pass\n", "elif": "if x:\n pass\n", "except": "try:\n pass\n", "finally": "try:\n pass\n"}
    after = "\nexcept E:\n pass" if word == "try" else ""
    if has_body and (word in _COMPOUND or _opens(source)):
        if word == "case":
            return parses(f"match x:\n {source}\n  pass\n")
        if word == "match" and parses(f"{source}\n case _:\n  pass\n"):
            return True
        return parses(f"{before.get(word, '')}{source}\n pass{after}\n")
    return parses(f"{before.get(word, '')}{source}{after}\n")


def _candidates(source: str, has_body: bool, open_brackets: str) -> Iterator[str]:
    """The line with something added: what was left open first, then one token anywhere."""
    tokens = [match for match in _TOKEN.finditer(source) if match.lastgroup != "comment"]
    if not tokens:
        return
    end = tokens[-1].end()
    body, tail = source[:end], source[end:]
    closers = "".join({"(": ")", "[": "]", "{": "}"}[bracket] for bracket in reversed(open_brackets))
    colon = ":" if has_body and not body.endswith(":") else ""
    if closers:
        inner = body[:-1].rstrip() if body.endswith(":") else body
        last = ":" if has_body else ""
        for added in (closers, f"_{closers}", f"=_{closers}"):
            yield f"{inner}{added}{last}{tail}"
    if colon:
        yield f"{body}:{tail}"
        yield f"{body} _:{tail}"
    if not has_body:
        yield f"{body} _{tail}"
        yield f"{body}: pass{tail}"
        yield f"{body} pass{tail}"
    if len(tokens) > _MOST_TOKENS or len(source) > _MOST_TEXT:
        return
    for word in _IN_FRONT:
        yield f"{word} {source}" if word != "@" else f"@{source}"
    for added in _INSERTED:
        for token in tokens[1:]:
            yield f"{source[: token.start()]} {added} {source[token.start() :]}"
        yield f"{body} {added} {tail}"
    # A token too many: what was left of a pair.
    for token in tokens:
        if token.lastgroup == "other":
            yield source[: token.start()] + " " + source[token.end() :]


def _header(source: str) -> str:
    """A header of the same kind as one that cannot be mended."""
    word = _word(source)
    names = list(dict.fromkeys(match[0] for match in re.finditer(r"(?<![\w.])[^\W\d]\w*", source)))
    match word:
        case "def":
            inner = ", ".join(name for name in names[2:] if name.isidentifier() and not _is_keyword(name))
            return f"def {_safe(names[1:2])}({inner}):"
        case "class":
            return f"class {_safe(names[1:2])}:"
        case "for":
            return f"for {_safe(names[1:2])} in _:"
        case "while":
            return "while _:"
        case _:
            return "if _:"


def _safe(names: list[str]) -> str:
    return names[0] if names and not _is_keyword(names[0]) else "_"


def _is_keyword(name: str) -> bool:
    import keyword

    return keyword.iskeyword(name)


def _join(indents: list[int], mended: list[str]) -> None:
    """Mend what is whole alone but not in its place: `else` without `if`, `try` without `except`, an empty block."""
    last_at: dict[int, tuple[int, str]] = {}
    for index, (own, source) in enumerate(zip(indents, mended, strict=True)):
        word = _word(source)
        if not source.strip():
            continue
        for indent in [indent for indent in last_at if indent > own]:
            _end_try(last_at.pop(indent), mended)
        before = last_at.get(own)
        follows = before is not None and word in _FOLLOWS and before[1] in _FOLLOWS[word]
        if word in _FOLLOWS and not follows:
            mended[index] = _instead(source)
            word = "if"
        if before is not None and before[1] == "try" and not (follows and word in {"except", "finally"}):
            _end_try(before, mended)
        last_at[own] = (index, word)
        has_body = index + 1 < len(indents) and indents[index + 1] > own
        if _opens(mended[index]) and not has_body and word != "case":
            end = [match.end() for match in _TOKEN.finditer(mended[index]) if match.lastgroup != "comment"][-1]
            mended[index] = f"{mended[index][:end]} pass{mended[index][end:]}"
    for entry in last_at.values():
        _end_try(entry, mended)


def _end_try(entry: tuple[int, str], mended: list[str]) -> None:
    """A `try` that nothing follows becomes a plain block."""
    index, word = entry
    if word == "try":
        mended[index] = _instead(mended[index])


def _instead(source: str) -> str:
    """`if _:` with whatever stands behind the colon of a one-line block."""
    _, _, rest = source.partition(":")
    return f"if _:{rest}"
