"""Fills what a record writes into code (`{limit}`, `{limit*2}`) from the log and from the code itself.

A repair that would write a placeholder, or the text of a log into code as anything but the value that it stands for, is
refused: what a log says is data from strangers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

#: `{{`, `}}`, or a name with an optional whole-number step.
_FIELD = re.compile(r"\{\{|\}\}|\{(?P<name>[A-Za-z_][\w]*(?::\w+)?)(?:\s*(?P<sign>[+*-])\s*(?P<step>\d+))?\}")
#: What a capture may look like to be written into code: a number, a name, a list of such; nothing that calls anything.
_PLAIN = re.compile(r"[\w.+:/@%, \[\]-]{0,300}|\([\d, ]{0,100}\)")


class Refused(Exception):  # noqa: N818 - it is an answer ("this repair is not for here"), not a failure
    """Why an edit cannot be made, in a sentence for the user."""


class NotFound(Refused):
    """No such place in the code; an edit that is optional is left out then."""


class Names(Mapping[str, str]):
    """What templates may name: captures of the log, then what the code itself gave (which may be any code)."""

    def __init__(self, captures: Mapping[str, str] | None, code: Mapping[str, str] | None = None) -> None:
        self._captures = dict(captures or {})
        self._code = dict(code or {})

    def __getitem__(self, name: str) -> str:
        if name in self._code:
            return self._code[name]
        return self._captures[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._captures, **self._code})

    def __len__(self) -> int:
        return len({**self._captures, **self._code})

    def trusted(self, name: str) -> bool:
        """Whether the value is code of the file itself."""
        return name in self._code

    def with_code(self, code: Mapping[str, str]) -> Names:
        """The same with more names from the code."""
        return Names(self._captures, {**self._code, **code})


def render(template: str, names: Names) -> str:
    """The template with its fields filled. Raises Refused for a name that nobody knows."""

    def fill(match: re.Match[str]) -> str:
        if match["name"] is None:
            return match[0][0]
        name = match["name"]
        if name not in names or (not (value := names[name]) and not names.trusted(name)):
            raise Refused(f"the log does not tell the {name.replace('_', ' ')}")
        if match["sign"]:
            return _step(name, value, match["sign"], int(match["step"]))
        if not names.trusted(name) and not _PLAIN.fullmatch(value):
            raise Refused(f"the {name.replace('_', ' ')} in the log is not a plain value")
        return value

    return _FIELD.sub(fill, template)


def _step(name: str, value: str, sign: str, step: int) -> str:
    try:
        number = int(value.replace("_", "").replace(",", ""))
    except ValueError:
        raise Refused(f"the {name.replace('_', ' ')} in the log is not a whole number") from None
    return str({"+": number + step, "-": number - step, "*": number * step}[sign])


def fill_place(value: object, names: Names, key: str = "") -> Any:
    """A place with its captures filled in: escaped in regexes, as numbers in predicates."""
    if isinstance(value, Mapping):
        items = cast("Mapping[str, object]", value)
        return {name: fill_place(item, names, name) for name, item in items.items()}
    if isinstance(value, (list, tuple)):
        return [fill_place(item, names, key) for item in cast("list[object]", value)]
    if not isinstance(value, str) or "{" not in value:
        return value
    if key in {"statement", "matches", "on", "source"}:
        # In a regex `{3,5}` and `{2}` are repeats; only names are fields.
        return re.sub(r"\{([A-Za-z_]\w*)\}", lambda match: re.escape(_known(match[1], names)), value)
    whole = re.fullmatch(r"\{([A-Za-z_]\w*)(\s*[+*-]\s*\d+)?\}", value)
    if whole is None:
        return render(value, names)
    text = render(value, names) if whole[2] else _known(whole[1], names)
    if re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    return text


def _known(name: str, names: Names) -> str:
    if name not in names:
        raise Refused(f"the log does not tell the {name.replace('_', ' ')}")
    return names[name]
