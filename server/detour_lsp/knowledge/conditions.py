"""Decides `when`: whether a dead end or a workaround applies to what happened.

The same message has different remedies (for the recompile limit, the `last reason` line decides), and a remedy that
does not help must not be offered. A condition that cannot be decided for want of a log does not hold, and
`Verdict.known` says that it could not be decided.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from detour_lsp.knowledge import versions
from detour_lsp.knowledge.record import Clause

#: Keys of `when` that are not captures.
RESERVED = frozenset({"captures", "signature", "message", "with", "without", "why", "why_zh", "why_about"})
#: Packages whose version a condition may name; any other key is a capture.
PACKAGES = frozenset({"torch", "python", "numpy", "transformers", "torchvision", "accelerate", "lightning", "triton"})
#: A pattern of a record that runs longer than this on one message is given up (and does not match).
PATTERN_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a condition holds, and the sentence that says why not."""

    applies: bool
    why: str = ""
    #: False where the condition asks for something that nobody knows here (no log, no code).
    known: bool = True


YES = Verdict(True)


@dataclass(frozen=True, slots=True)
class _Failure:
    #: Which key of `when` does not hold: `captures`, a package, `signature`, `message`, `with` or `without`.
    key: str
    why: str
    why_zh: str
    known: bool = True


def holds(
    when: Clause,
    captures: Mapping[str, str] | None,
    torch: str | None,
    code: Callable[[Clause], bool] | None = None,
    *,
    message: str | None = None,
    signature: int | None = None,
    others: Mapping[str, str | None] | None = None,
    language: str = "en",
) -> Verdict:
    """Decide `when` for one incident (or, with `captures=None`, for code without a log).

    `code` answers whether a place exists in the frame's file; without it, conditions on code are taken to hold, because
    there is nothing that a repair could spoil. `others` holds versions of further packages.
    """
    failure = (
        _captures(when, captures)
        or _versions(when, torch, others or {}, captures)
        or _log(when, message, signature)
        or _code(when, code)
    )
    if failure is None:
        return YES
    about = _listed(when.get("why_about", failure.key))
    own = str((when.get("why_zh") if language == "zh" else "") or when.get("why") or "")
    if failure.known and failure.key not in about:
        own = ""
    return Verdict(False, own or (failure.why_zh if language == "zh" else failure.why), failure.known)


def _captures(when: Clause, captures: Mapping[str, str] | None) -> _Failure | None:
    wanted: dict[str, Any] = dict(cast("Mapping[str, Any]", when.get("captures") or {}))
    wanted.update((key, value) for key, value in when.items() if key not in RESERVED and key not in PACKAGES)
    for name, expected in wanted.items():
        if captures is None:
            return _Failure(
                "captures",
                f"only the error's text tells the {_words(name)}",
                f"需要错误文本才能知道“{_chinese(name)}”",
                known=False,
            )
        actual = captures.get(name)
        if not _capture_holds(expected, actual):
            if actual is None:
                return _Failure(
                    "captures", f"the log does not tell the {_words(name)}", f"日志没有给出“{_chinese(name)}”"
                )
            return _Failure(
                "captures",
                f"the {_words(name)} is {actual!r}, and this helps for {_say(expected)}",
                f"“{_chinese(name)}”是 {actual!r}，此方法只适用于 {_say(expected).replace(' or ', ' 或 ')}",
            )
    return None


def _capture_holds(expected: object, actual: str | None) -> bool:
    if isinstance(expected, Mapping):
        predicate = cast("Mapping[str, Any]", expected)
        if "present" in predicate and bool(predicate["present"]) != bool(actual):
            return False
        if set(predicate) == {"present"}:
            return True
        return actual is not None and all(_predicate(key, value, actual) for key, value in predicate.items())
    if isinstance(expected, Sequence) and not isinstance(expected, str):
        return any(_capture_holds(item, actual) for item in cast("Sequence[object]", expected))
    return actual is not None and _same(expected, actual)


def _predicate(key: str, value: object, actual: str) -> bool:
    if key == "present":
        return True
    if key == "matches":
        return found(str(value), actual)
    if key == "is":
        return _same(value, actual)
    if key == "in":
        return isinstance(value, Sequence) and any(_same(item, actual) for item in cast("Sequence[object]", value))
    if key in ("not", "without"):
        return not (found(str(value), actual) if key == "without" else _capture_holds(value, actual))
    number, limit = _number(actual), _number(value)
    if number is None or limit is None:
        return False
    return {"le": number <= limit, "lt": number < limit, "ge": number >= limit, "gt": number > limit}.get(key, False)


def _same(expected: object, actual: str) -> bool:
    if isinstance(expected, bool) or expected is None:
        return actual.lower() == str(expected).lower()
    if isinstance(expected, (int, float)):
        return _number(actual) == float(expected)
    return actual == str(expected)


def _number(value: object) -> float | None:
    try:
        return float(str(value).replace("_", ""))
    except ValueError:
        return None


def _versions(
    when: Clause, torch: str | None, others: Mapping[str, str | None], captures: Mapping[str, str] | None
) -> _Failure | None:
    for package in PACKAGES & when.keys():
        version = torch if package == "torch" else others.get(package) or (captures or {}).get(package)
        bounds = when[package]
        wanted = _listed(bounds)
        if not versions.matches([f"{package}{bound}" for bound in wanted], version, package):
            text = ", ".join(str(bound) for bound in wanted)
            return _Failure(
                package,
                f"this needs {package} {text}, and {version} is used",
                f"此方法需要 {package} {text}，当前为 {version}",
            )
    return None


def _log(when: Clause, message: str | None, signature: int | None) -> _Failure | None:
    if "signature" in when:
        wanted = when["signature"]
        if signature is None:
            return _Failure(
                "signature",
                "only the error's text tells which case this is",
                "需要错误文本才能判断属于哪种情况",
                known=False,
            )
        if signature not in _listed(wanted):
            return _Failure(
                "signature", "this helps for another wording of the error", "此方法适用于该错误的另一种表述"
            )
    if "message" not in when:
        return None
    if message is None:
        return _Failure(
            "message", "only the error's text tells whether this helps", "需要错误文本才能判断是否有效", known=False
        )
    wanted = when["message"]
    conditions = cast("Mapping[str, Any]", wanted) if isinstance(wanted, Mapping) else {"matches": wanted}
    for key, pattern in conditions.items():
        if any(found(str(item), message) for item in _listed(pattern)) == (key == "without"):
            return _Failure("message", "the message tells of another cause", "错误信息显示的是另一种原因")
    return None


def _code(when: Clause, code: Callable[[Clause], bool] | None) -> _Failure | None:
    if code is None:
        return None
    for key in ("with", "without"):
        if key not in when:
            continue
        wanted = when[key]
        for place in cast("Sequence[Clause]", _listed(wanted)):
            if code(place) == (key == "without"):
                thing, chinese = _place(place)
                if key == "with":
                    return _Failure(key, f"the code has no {thing}", f"代码中没有{chinese}")
                return _Failure(key, f"the code has {thing}, which rules this out", f"代码中有{chinese}，因此不适用")
    return None


def _listed(value: object) -> Sequence[object]:
    return cast("Sequence[object]", value) if isinstance(value, (list, tuple)) else [value]


def found(pattern: str, text: str) -> bool:
    """Whether a record's pattern occurs in the text; one that is wrong or takes too long does not."""
    # Here: few conditions are patterns, and the module takes a tenth of the start of the command line.
    import regex

    try:
        return regex.search(pattern, text, flags=regex.MULTILINE, timeout=PATTERN_SECONDS) is not None
    except (regex.error, TimeoutError):
        return False


def _words(name: str) -> str:
    return name.replace("_", " ")


def _chinese(name: str) -> str:
    from detour_lsp.knowledge.capture_names import words  # a long table, needed only where something does not hold

    return words(name, chinese=True)


def _say(expected: object) -> str:
    if isinstance(expected, Mapping):
        return ", ".join(f"{key} {value}" for key, value in cast("Mapping[str, object]", expected).items())
    if isinstance(expected, Sequence) and not isinstance(expected, str):
        return " or ".join(_say(item) for item in cast("Sequence[object]", expected))
    return repr(expected)


def _place(place: Clause) -> tuple[str, str]:
    heads = ("call", "decorator", "set", "use", "env", "class")
    head = next((key for key in heads if key in place), None)
    if head is None:
        # A pattern of code says nothing to a person.
        return "statement of the kind that this is for", "此方法所针对的语句"
    text = " or ".join(str(name) for name in _listed(place[head])[:3])
    keywords = cast("Mapping[str, Mapping[str, Any]]", place.get("keyword") or {})
    inside = ", ".join(f"{name}={value['is']}" for name, value in keywords.items() if "is" in value)
    text = f"{text}({inside})" if inside else text
    return text, f" {text}"
