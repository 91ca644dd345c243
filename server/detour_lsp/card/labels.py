"""The words of a card that are not the record's own, in English and Chinese."""

from __future__ import annotations

from typing import Literal

Language = Literal["en", "zh"]

_LABELS: dict[str, tuple[str, str]] = {
    "do": ("What to do", "该怎么做"),
    "do_not": ("Do not", "不要"),
    "no_fix": ("No workaround of this record applies here.", "此记录中没有适用于当前情况的解决办法。"),
    "why": ("What happened", "发生了什么"),
    "values": ("In this run", "本次运行"),
    "dead_ends": ("Dead ends", "行不通的做法"),
    "workarounds": ("What works", "有效的做法"),
    "not_here": ("Not here", "不适用于此处"),
    "only_if": ("Depends", "视情况而定"),
    "not_if": ("No help when", "以下情况无效"),
    "refuted": ("The original claim was refuted by runs", "原先的说法已被实际运行推翻"),
    "partly": ("holds only in part", "只部分成立"),
    "fails_estimate": ("fails in about {rate} (estimate)", "约 {rate} 会失败（估计）"),
    "works_estimate": ("works in about {rate} (estimate)", "约 {rate} 有效（估计）"),
    "fails_run": ("seen to fail: {runs}", "已实测失败：{runs}"),
    "works_run": ("seen to work: {runs}", "已实测有效：{runs}"),
    "see": ("see {source}", "参见 {source}"),
    "versions": ("Versions", "版本"),
    "related": ("Related", "相关错误"),
    "leads_to": ("leads to", "可能引出"),
    "preceded_by": ("often after", "常出现在其后"),
    "frequently_confused_with": ("often confused with", "常被混淆"),
    "sources": ("Sources", "来源"),
    "symptom": (
        "This line only reports that something else failed; look for the first error above it.",
        "这一行只是报告其他地方出了错；请查看它上方的第一个错误。",
    ),
    "tier_ai_generated": ("not verified", "未经验证"),
    "tier_documented": ("documented", "有文献依据"),
    "tier_reproduced": ("reproduced", "已复现"),
    "tier_proven": ("proven", "已证实"),
    "confirmed": ("last confirmed", "最近确认"),
    "truncated": ("The excerpt is cut off here; the cause may stand above it.", "日志在此处被截断；原因可能在更前面。"),
    "stale": (
        "The file has changed since this run; the line may have moved.",
        "此次运行之后文件已被修改，行号可能有变。",
    ),
    "ranks": ("ranks", "进程序号"),
    "seen": ("seen {count} times", "出现 {count} 次"),
}


def label(name: str, language: Language, **values: object) -> str:
    """The label `name` in a language, with `{...}` filled in."""
    return _LABELS[name][language == "zh"].format(**values)


def language_of(locale: str | None) -> Language:
    """The card language for an LSP or POSIX locale such as `zh-cn`, `zh_CN.UTF-8` or `de`: Chinese or English."""
    return "zh" if (locale or "").lower().replace("_", "-").split("-")[0].split(".")[0] == "zh" else "en"
