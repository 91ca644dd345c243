"""The lines that one process wrote -> its tracebacks: which are frames, which quote source, which are the message.

One pass over the lines, no look-ahead beyond the line at hand, so that it can follow a log as it grows. A *segment* is
one traceback: its frames and its message. Segments that belong to one failure are linked: `context` to the exception
they were raised from or during, `embedded` to the message that they are part of.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from detour_lsp.logs import frames as frame_lines
from detour_lsp.logs.box_layout import BOX_EDGE, BOX_HEADER, BoxLayout
from detour_lsp.logs.cleaning import Unit
from detour_lsp.logs.frames import FrameLine
from detour_lsp.logs.ipython_layout import IPythonLayout
from detour_lsp.logs.later import later
from detour_lsp.logs.pytest_layout import PytestLayout
from detour_lsp.logs.segments import EXCEPTION, MAX_GAP, REPEATED, Link, Parsed

_HEADER = later(
    r"(?P<kind>Exception Group |Original |Remote )?Traceback(?: of TorchScript[^()\n]{0,40})? \(most recent call last\)"
    r"|(?:Current thread|Thread) 0x[0-9a-fA-F]+[^(\n]*\((?P<first>most recent call first)\)"
    r"|\bStack \(most recent call (?:last|(?P<first2>first))\)"
)
_CHAIN = later(
    r"During handling of the above exception, another exception"
    r"|The above exception was the direct cause of the follow|During task with name '"
)
_INSIDE = later(
    r"terminated with the following error|^\s*traceback\s*:|Original Traceback|[Rr]emote [Tt]raceback"
    r"|Inner exception|worker traceback|Caught \w+ in "
)
_USER_CODE = later(
    r"^(?:from user code:|User stack trace:|User code traceback:|User Stack|Stack trace:"
    r"|Traceback of forward call|.*Traceback of forward call that caused the error)"
)
_CUT_FRAME = later(r'^\s*File "[^"\n]{20,}(?:", l?i?n?e?)?$')
_CARETS = later(r"^\s*[\^~\-|]*[\^~][\^~\s\-|]*(?:<--- HERE)?$")
_PYTEST_SECTION = later(r"^_{3,} .+ _{3,}$|^={3,} (?:FAILURES|ERRORS) ={3,}$|^(?:_ ){5,}_?$")
_PYTEST_END = later(r"^(?:={3,} .* ={3,}|-{3,} Captured .* -{3,})$")
_BREAK = later(r"Graph break\b[^\n]* from user code at:$")
#: Something else reports a failure of its own below a message.
_REPORT = later(r"(?:ERROR|CRITICAL|FATAL|WARNING):? +\S")
_PROGRESS = later(r"\d%\s?[|▏▎▍▌▋▊▉█]|\d(?:\.\d+)?(?:it/s|s/it)\b")
#: So many lines of a message are kept with its traceback; the longest known ones (C++ stacks) are shorter.
_MAX_MESSAGE = 120


class _Parser(IPythonLayout, BoxLayout, PytestLayout):
    def __init__(self, units: Sequence[Unit]) -> None:
        super().__init__(units)
        self.blanks = 0
        self.group = False
        #: The start of a frame line that a narrow console has cut in two.
        self.wrapped = ""
        #: Where VS Code's debugger said that it has stopped: it lists the innermost frame first.
        self.stopped = -_MAX_MESSAGE

    # -- lines

    def run(self) -> Parsed:
        for index, unit in enumerate(self.units):
            text = unit.body
            if text.strip():
                self.line(index, text)
                self.blanks = 0
            else:
                self.blanks += 1
        return Parsed(self.segments, self.code)

    def line(self, index: int, text: str) -> None:
        stripped = text.strip()
        if ("exception" in stripped or stripped.startswith("During")) and _CHAIN.search(stripped):
            self.close()
            self.link = "context"
            return
        if stripped.startswith("Exception has occurred:"):
            self.close()
            self.stopped = index
            return
        header = _HEADER.search(text) if "most recent call" in text else None
        if header:
            self.header(index, text, header)
            return
        if (self.in_box or stripped[0] in BOX_EDGE) and self.box_line(index, text, stripped):
            return
        if self.in_ipython() and self.ipython_code(index, stripped):
            return
        pytest_message = self.units[index].marked
        hits = frame_lines.plain_frames(text)
        if not hits and self.wrapped:
            hits = frame_lines.plain_frames(self.wrapped + text)
        self.wrapped = ""
        if hits:
            self.plain(index, text, hits)
            return
        if "File " in text and _CUT_FRAME.match(text):
            self.wrapped = text
            if self.current is not None:
                self.current.end = index + 1
            return
        if not pytest_message:
            hit = frame_lines.frame(text)
            if hit:
                self.other_frame(index, text, hit)
                return
        if pytest_message:
            self.pytest_message(index)
            return
        if _PYTEST_SECTION.match(stripped):
            self.in_pytest = True
            if "_ _" not in stripped:
                self.close()
                self.section = index
            return
        if self.in_pytest:
            if _PYTEST_END.match(stripped):
                self.in_pytest = False
                self.close()
                return
            if text.startswith(("    ", ">   ", "\t")) and (
                self.current is None or (self.current.style == "pytest" and self.current.message < 0)
            ):
                last = self.current.frames[-1] if self.current and self.current.frames else None
                if text.startswith(">"):
                    self.marked = stripped[1:].strip()
                    self.code[index] = True
                elif last is not None and last.function is not None:
                    self.source(text, index)
                else:
                    self.code[index] = True
                return
        self.rest(index, text, stripped)

    def header(self, index: int, text: str, match: re.Match[str]) -> None:
        before = text[: match.start()]
        current = self.current
        boxed = (
            bool(BOX_HEADER.match(before)) and ("─" in before or "---" in before or "━" in before)
        ) or "╭" in before
        embedded = (
            current is not None
            and current.message >= 0
            and (bool(_INSIDE.search(text)) or current.style == "dynamo" or self.recent(index, _INSIDE))
        )
        if (
            current is not None
            and current.message < 0
            and not current.precise
            and self.link == "none"
            and index - current.end <= MAX_GAP
            and current.style == "plain"
            and current.headed
            and self.units[index].shape == self.shape
            and not boxed
        ):
            # Two processes write into each other: what follows continues both.
            current.end = index + 1
        else:
            self.group = match["kind"] == "Exception Group " or (self.group and current is not None)
            link: Link | None = "embedded" if embedded else "context" if self.group and current is not None else None
            self.open(index, link=link, headed=True, style="box" if boxed else "plain")
        assert self.current is not None
        self.current.reverse = bool(match["first"] or match["first2"])
        self.current.precise = self.current.precise or "TorchScript" in match[0] or match[0].startswith("Stack")
        self.in_box = boxed
        self.indent = len(text) - len(text.lstrip())
        if re.match(r"^\s*[\w.]+\s{2,}$", before) and not boxed:
            self.current.style = "ipython"
        hits = frame_lines.plain_frames(text[match.end() :])
        if hits:
            self.joined(index, hits)

    def recent(self, index: int, pattern: re.Pattern[str]) -> bool:
        return any(pattern.search(self.units[at].body) for at in range(max(0, index - 3), index))

    def joined(self, index: int, hits: Sequence[FrameLine]) -> None:
        """Several frames on one line: what stands between them is source, behind the last stands the message."""
        for hit in hits:
            self.add(index, hit)
            assert self.current is not None
            if hit.rest and hit is not hits[-1]:
                self.current.frames[-1] = replace(self.current.frames[-1], source=hit.rest)
        self.indent = 2 if len(hits) == 1 else 0

    def plain(self, index: int, text: str, hits: Sequence[FrameLine]) -> None:
        if (
            self.current is not None
            and self.current.style == "warning"
            and self.current.message >= 0
            and len(self.current.frames) == 1
            and not _USER_CODE.match(self.units[self.current.message].body.strip())
        ):
            # A warning has no frames but its own: these are of a traceback whose header is gone.
            self.close()
        current = self.current
        before = text[: hits[0].start].strip().lstrip("> ") if hits[0].start < len(text) else ""
        if current is None or (current.message >= 0 and not self.torn(index)):
            near = current is not None and current.message >= 0 and self.same_message(index)
            if _USER_CODE.match(text.strip()) or (before and "tack trace" in before):
                self.user_code = True
            if near and current is not None and before and not current.frames:
                pass
            segment = self.open(index, link="embedded" if near and self.link == "none" else None)
            if index - self.stopped < _MAX_MESSAGE:
                segment.reverse = hits[0].function != "<module>"
                self.stopped = -_MAX_MESSAGE
            if before and not near:
                # `RuntimeError: ... Stack trace: File "..."`: the message itself holds the frames.
                segment.message = index if re.search(r"\w+Error: ", before) else -1
        elif current.message >= 0:
            current.message = -1
        elif not current.frames and not self.shape:
            # The header stood behind a progress bar; the lines below it begin with a time or a logger's mark.
            self.shape = self.units[index].shape
        if len(hits) > 1 or before:
            self.joined(index, hits)
            assert self.current is not None
            rest = hits[-1].rest
            if before and self.current.message == index:
                self.current.message = -1
                self.current.precise = True
            if rest and EXCEPTION.match(rest.split(" ", 1)[0] + " "):
                self.current.message = index
            return
        hit = hits[0]
        assert self.current is not None
        if hit.style == "fault" and not self.current.frames:
            self.current.reverse = self.current.reverse or not self.current.headed
        self.add(index, hit)

    def torn(self, index: int) -> bool:
        """Whether the message so far is no exception but a stray line between frames of interleaved processes."""
        current = self.current
        assert current is not None
        if index - current.message > MAX_GAP or self.link != "none":
            return False
        return not any(
            EXCEPTION.match(self.units[at].body.strip())
            for at in range(current.message, index)
            if self.units[at].body.strip()
        )

    def same_message(self, index: int) -> bool:
        current = self.current
        return current is not None and index - max(current.message, current.end) <= 40

    def other_frame(self, index: int, text: str, hit: FrameLine) -> None:
        current = self.current
        if hit.style == "warning":
            segment = self.open(index, style="warning")
            self.add(index, hit)
            segment.message = index
            self.shape = self.units[index].shape
            return
        if hit.style == "break":
            self.open(index, link="none", style="dynamo").message = index
            self.add(index, hit)
            return
        if hit.style == "dynamo" and current is not None and current.style == "dynamo" and current.frames:
            # The next message of its kind. It began above its frame's line, which is indented.
            start = index
            while start > current.start + 1 and index - start < MAX_GAP and self.units[start].body[:1] in (" ", "\t"):
                start -= 1
            self.open(index, link="none", style="dynamo")
            self.begin_at(start, message=True)
            self.add(index, hit)
            return
        if hit.style in ("dynamo", "reason", "graph"):
            if (
                current is None
                or (current.style not in ("dynamo", "warning") and current.message < 0)
                or index - current.end > 30
            ):
                segment = self.open(index, style="dynamo")
                segment.message = index
            elif current.style not in ("dynamo",) and hit.style != "graph":
                segment = self.open(index, link="embedded", style="dynamo")
                segment.message = index
            if hit.style != "graph" or (self.current is not None and self.current.style == "dynamo"):
                self.add(index, hit)
            return
        if hit.style == "pytest":
            self.pytest_frame(index, hit)
            return
        if hit.style == "box":
            self.open_if_done(index, "box")
            self.in_box = True
            self.code[index] = True
            self.add(index, hit)
            return
        if hit.style == "dump":
            if current is None or current.style != "dump":
                self.open(index, style="dump").reverse = True
            self.add(index, hit)
            return
        self.open_if_done(index, "ipython")
        assert self.current is not None
        self.current.style = "ipython"
        self.add(index, hit)
        if hit.style == "ipython-old":
            inner = re.search(r"<cell line: (\d+)>", text)
            if inner:
                self.current.frames[-1] = replace(self.current.frames[-1], line=int(inner[1]))

    # -- everything else

    def rest(self, index: int, text: str, stripped: str) -> None:
        if _USER_CODE.match(stripped):
            self.user_code = True
        if stripped.startswith("Graph break") and _BREAK.match(stripped):
            # The frames below are this message's, whatever was told before.
            self.close()
            self.user_code = True
        current = self.current
        if current is None:
            return
        if self.units[index].shape != self.shape and self.units[index].shape:
            # Another logger's line, or the next record of this one.
            if index - current.end >= (MAX_GAP if current.message < 0 else 0):
                self.close()
            return
        if current.message < 0:
            if REPEATED.match(text):
                current.end = index + 1
                return
            indent = len(text) - len(text.lstrip())
            if (
                current.frames
                and current.style == "plain"
                and (indent > self.indent or (self.quoted == 0 and indent == self.indent and self.eaten(stripped)))
            ):
                if _CARETS.match(text):
                    self.code[index] = True
                    current.end = index + 1
                else:
                    self.source(text, index)
                return
            if current.style == "pytest":
                # Values of arguments, rulers, and source; the message is marked with an E.
                if indent >= 4 or text.startswith(">"):
                    self.source(text, index)
                return
            if not current.frames and current.style == "plain" and not EXCEPTION.match(stripped):
                # Between a header and its first frame stands nothing else, unless processes write into each other.
                if index - current.start > MAX_GAP:
                    self.close()
                return
            if current.style == "ipython" and current.frames and index == current.end and indent > self.indent:
                # `%xmode Plain` quotes one line without its number.
                self.source(text, index)
                return
            if current.style == "ipython" and not EXCEPTION.match(stripped) and index - current.end <= MAX_GAP:
                return
            current.message = index
            current.end = index + 1
            return
        if (
            current.style == "warning"
            and index == current.message + 1
            and text.startswith("  ")
            and not text.startswith("     ")
        ):
            self.source(text, index)
            return
        if index - current.message > _MAX_MESSAGE or (_PROGRESS.search(stripped) and not EXCEPTION.match(stripped)):
            self.close()
            return
        if current.style == "warning" and not text.startswith((" ", "\t")):
            if index - current.message == 2 and self.units[current.message].body.rstrip().endswith("Warning:"):
                # Plotly has what is warned of stand by itself, below a blank line.
                current.end = index + 1
            else:
                self.close()
            return
        if _REPORT.match(text):
            self.close()
            return
        if self.blanks >= 2 and not self.user_code and current.style != "dynamo" and not text.startswith(" "):
            self.close()
            return
        current.end = index + 1

    def eaten(self, stripped: str) -> bool:
        """Whether a line at the frame's own column is its source, the indentation being lost."""
        return not EXCEPTION.match(stripped)


def parse(units: Sequence[Unit]) -> Parsed:
    """The tracebacks of one process's lines."""
    parsed = _Parser(units).run()
    parsed.segments = [segment for segment in parsed.segments if segment.frames or segment.headed]
    return parsed
