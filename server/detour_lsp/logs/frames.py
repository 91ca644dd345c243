"""The lines by which each tool says where the program was: one line of text -> one frame.

What surrounds them (headers, source lines, messages) is the business of `tracebacks`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from detour_lsp.logs import paths
from detour_lsp.logs.later import later

Style = Literal[
    "plain", "fault", "ipython", "ipython-old", "pytest", "box", "dynamo", "reason", "warning", "graph", "dump", "break"
]


@dataclass(frozen=True, slots=True)
class FrameLine:
    """A frame as one line names it; `line` 0 where the number stands elsewhere (old IPython's arrow)."""

    style: Style
    file: str
    line: int
    function: str | None
    indent: int
    #: Text behind the frame on the same line, where lines were joined.
    rest: str = ""
    #: Where the frame begins in the line.
    start: int = 0
    cell: int | None = None


_NAME = r"<[^<>\n]{1,80}>|[^\s,:()]+(?:\.<locals>\.[^\s,:()]+)*|torch_dynamo_resume_in_\S+"
_PLAIN = later(rf'File "(?P<file>[^"\n]{{1,400}})", line (?P<line>\d+)(?:(?P<comma>,)? in (?P<function>{_NAME}))?')
_PLAIN_QUOTED = later(
    rf"File '(?P<file>[^'\n]{{1,400}})', line (?P<line>\d+)(?:(?P<comma>,)? in (?P<function>{_NAME}))?"
)
_UNQUOTED = later(
    rf'^"?File (?P<file>(?:[A-Za-z]:)?[^\s"\'][^"\'\n]{{0,300}}?\.py\w?), line (?P<line>\d+)(?:(?P<comma>,)? in'
    rf" (?P<function>{_NAME}))?"
)
_CELL_NEW = later(
    r"^(?:Cell |Input )?In ?\[(?P<cell>\d+)\], line (?P<line>\d+)(?:,? in (?P<function>.+?)(?:\(.*\))?)?$"
)
_CELL_8 = later(r"^(?:Cell |Input )In ?\[(?P<cell>\d+)\],? in (?P<function>.+?)(?:\(.*\))?$")
_IPY_FILE = later(r"^File (?P<file>(?:[A-Za-z]:)?[^:\n]{1,400}):(?P<line>\d+)(?:,? in (?P<function>.+?)(?:\(.*\))?)?$")
_IPY_INPUT = later(
    r"^\[?(?P<file><ipython-input-(?P<cell>\d+)-[0-9a-f]+>)\]?(?:\([^)]*\))? in (?P<function>[^(]+?)(?:\(.*\))?$"
)
_IPY_OLD = later(
    r"^\[?(?P<file>(?:[A-Za-z]:)?[~/\\.\w][^\n\[\]:]{0,300}?\.(?:py|pyx"
    r"|pyc))\]?(?:\([^)]*\))? in (?P<function>[\w<>.]+|<cell line: \d+>)(?:\(.*\))?$"
)
_PYTEST = later(
    r"^(?P<file>(?:[A-Za-z]:)?[~/\\.\w<][^\n:*?\"|]{0,300}?\.(?:py|pyx"
    r"|ipynb)):(?P<line>\d+): (?:in (?P<function>\S+)$|(?P<error>(?:[\w.]+(?:Error|Exception|Interrupt|Exit"
    r"|Unsupported|Failed|Skipped)|[A-Z]\w+))(?P<colon>: .*)?$|$)"
)
_PYTEST_BARE = later(r"^(?P<file>(?:[A-Za-z]:)?[~/\\.\w<][^\n:*?\"|]{0,300}?\.(?:py|pyx|ipynb)):(?P<line>\d+):$")
_BOX = later(
    r"^[│┃|║]\s*(?P<file>(?:[A-Za-z]:)?[~/\\.\w<][^\n:*?\"|│<>]{0,300}?\.(?:py"
    r"|pyx)):(?P<line>\d+)(?: in(?: (?P<function>[\w<>.]+))?)?\s*(?:[│┃|║]|$)"
)
_DYNAMO = later(r"function:? '(?P<function>[^']*)' \((?P<file>(?:[A-Za-z]:)?[^:()\n]{1,400}):(?P<line>\d+)\)")
#: A message of Dynamo's about one place, which it names.
_BROKEN = later(r"^Graph break in user code at (?P<file>(?:[A-Za-z]:)?[^:\n]{1,400}\.pyx?|<[^<>\n]+>):(?P<line>\d+)$")
_NOT_CONVERTED = later(r"WON'T CONVERT (?P<function>\S+) (?P<file>.{1,400}?) line (?P<line>\d+)")
_RECOMPILING = later(r"Recompiling function (?P<function>\S+) in (?P<file>(?:[A-Za-z]:)?[^:\n]{1,400}):(?P<line>\d+)")
_REASON = later(r"#\s(?P<file>(?:[A-Za-z]:)?[\w~/\\.-][^#:\n]{0,300}\.py):(?P<line>\d+) in (?P<function>\S+)")
_GRAPH = later(
    r"(?:# )?File: (?P<file>(?:[A-Za-z]:)?[^:\n]{1,400}\.py):(?P<line>\d+) in (?P<function>[\w<>.]+)(?:, code:"
    r" (?P<code>.*))?"
)
_BEFORE_ABSOLUTE = later(r"^.*[\s\]|](?=(?:/|~/|[A-Za-z]:[\\/])\S)")
_WARNING = later(
    r"(?P<file>(?:[A-Za-z]:)?[~/\\.\w<][^\n:*?\"|]{0,300}?(?:\.(?:py|pyx)|<stdin>|<string>"
    r"|>)):(?P<line>\d+): (?P<category>(?:[\w.]*\.)?[A-Z]\w*(?:Warning|Deprecated))\b(?=:)"
)
_VSCODE = later(
    r"^(?P<file>\S.{0,300}\.ipynb) Cell (?P<cell>\d+)(?:,? line (?P<line>\d+)| in (?P<function>.+?)(?:\(.*\))?)$"
)
_DUMP = later(r"^\s+(?P<function>[\w<>.]+) \((?P<file>[^():\n]{1,300}\.py):(?P<line>\d+)\)$")


#: Notebooks in a browser show paths and line numbers as links, and so they are copied: `[model.py:12](http://...)`.
_LINK = later(r"\[([^\[\]\n]{1,400})\]\((?:https?://|vscode[\w-]*:|file:)[^()\s]{0,2000}\)")


def without_links(text: str) -> str:
    """`text` with what links show in place of the links."""
    return _LINK.sub(r"\1", text) if "](" in text else text


#: No line that names a frame is longer, and searching for one in a line of megabytes would take seconds.
_LONGEST = 3_000


def plain_frames(text: str) -> list[FrameLine]:
    """Every `File "...", line N, in f` of a line; more than one where line breaks were lost."""
    if "File " not in text:
        return []
    matches = list(_PLAIN.finditer(text)) or list(_PLAIN_QUOTED.finditer(text)) or list(_UNQUOTED.finditer(text))
    found: list[FrameLine] = []
    for index, match in enumerate(matches):
        end = matches[index + 1].start() if index + 1 < len(matches) else len(text)
        fault = match["function"] is not None and match["comma"] is None
        found.append(
            FrameLine(
                "fault" if fault else "plain",
                match["file"],
                int(match["line"]),
                match["function"],
                len(text) - len(text.lstrip()),
                text[match.end() : end].strip(),
                match.start(),
                _cell_number(match["file"]),
            )
        )
    return found


def frame(text: str) -> FrameLine | None:
    """The frame of any other layout that this line names."""
    stripped = text.strip()
    if not stripped or len(stripped) > _LONGEST:
        return None
    stripped = without_links(stripped)
    indent = len(text) - len(text.lstrip())
    first = stripped[0]
    if first in "│┃|║":
        match = _BOX.match(stripped)
        if match:
            return FrameLine("box", match["file"].strip(), int(match["line"]), match["function"], indent)
    match = _CELL_NEW.match(stripped)
    if match:
        return FrameLine(
            "ipython",
            f"Cell In[{match['cell']}]",
            int(match["line"]),
            _clean(match["function"]),
            indent,
            cell=int(match["cell"]),
        )
    match = _CELL_8.match(stripped)
    if match:
        name = match["function"]
        return FrameLine("ipython-old", f"Cell In[{match['cell']}]", 0, _clean(name), indent, cell=int(match["cell"]))
    if ".ipynb Cell " in stripped:
        match = _VSCODE.match(stripped)
        if match:
            style: Style = "ipython" if match["line"] else "ipython-old"
            return FrameLine(
                style,
                match["file"],
                int(match["line"] or 0),
                _clean(match["function"]),
                indent,
                cell=int(match["cell"]),
            )
    if first == "F":
        match = _IPY_FILE.match(stripped)
        if match and not match["file"].startswith('"'):
            return FrameLine("ipython", match["file"], int(match["line"]), _clean(match["function"]), indent)
    if (" in " in stripped and ".py" in stripped) or "<ipython-input" in stripped:
        match = _IPY_INPUT.match(stripped)
        if match:
            return FrameLine(
                "ipython-old", match["file"], 0, _clean(match["function"]), indent, cell=int(match["cell"])
            )
        match = _IPY_OLD.match(stripped)
        if match:
            return FrameLine("ipython-old", match["file"], 0, _clean(match["function"]), indent)
    if ".py" in stripped or ".ipynb" in stripped or ">:" in stripped:
        match = _WARNING.search(stripped)
        if match:
            return FrameLine(
                "warning",
                _BEFORE_ABSOLUTE.sub("", match["file"]),
                int(match["line"]),
                None,
                indent,
                stripped[match.end() + 1 :].strip(),
                indent + match.start(),
                _cell_number(match["file"]),
            )
        match = _PYTEST.match(stripped) or _PYTEST_BARE.match(stripped)
        if match:
            groups = match.groupdict()
            rest = (groups.get("error") or "") + (groups.get("colon") or "")
            return FrameLine("pytest", match["file"], int(match["line"]), groups.get("function"), indent, rest)
        match = _DYNAMO.search(stripped)
        if match:
            return FrameLine("dynamo", match["file"], int(match["line"]), match["function"], indent)
        match = _GRAPH.search(stripped)
        if match:
            return FrameLine("graph", match["file"], int(match["line"]), match["function"], indent, match["code"] or "")
        match = _REASON.search(stripped)
        if match:
            return FrameLine("reason", match["file"], int(match["line"]), match["function"], indent)
        match = _DUMP.match(text)
        if match:
            return FrameLine("dump", match["file"], int(match["line"]), match["function"], indent)
    if "user code at " in stripped:
        match = _BROKEN.search(stripped)
        if match:
            return FrameLine("break", match["file"], int(match["line"]), None, indent)
    if "Recompiling function " in stripped:
        match = _RECOMPILING.search(stripped)
        if match:
            return FrameLine("dynamo", match["file"], int(match["line"]), match["function"], indent)
    if "WON'T CONVERT" in stripped:
        match = _NOT_CONVERTED.search(stripped)
        if match:
            return FrameLine("dynamo", match["file"], int(match["line"]), match["function"], indent)
    if "function: '" in stripped:
        match = _DYNAMO.search(stripped)
        if match:
            return FrameLine("dynamo", match["file"], int(match["line"]), match["function"], indent)
    return None


def _clean(name: str | None) -> str | None:
    if name is None:
        return None
    name = name.strip()
    return "<module>" if name.startswith(("<cell line", "<module")) else name.removesuffix("()")


def _cell_number(file: str) -> int | None:
    match = re.search(r"<ipython-input-(\d+)|In ?\[(\d+)\]", file)
    return int(match[1] or match[2]) if match else None


def is_library_only(file: str) -> bool:
    """Whether the file can never be the user's."""
    return not paths.is_user(file)
