"""The table on the terminal, docs/performance.md, and its plots (plain SVG, so that they need nothing to be made)."""

from __future__ import annotations

import math
import os
import platform
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from logs import Row

ROOT = Path(__file__).parent.parent


def machine() -> str:
    """The machine, in one line."""
    try:
        model = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())
    except OSError:
        model = None
    name = model[1] if model else platform.processor() or platform.machine()
    system = f"{platform.system()} {platform.release()}"
    return f"{os.cpu_count()} cores of {name}, {system}, Python {platform.python_version()}"


def line_of(row: Row) -> list[tuple[str, str, str, str, str]]:
    """Cells of a row: what, ours, peer and its time, ratio, verdict; one line per peer."""
    lines: list[tuple[str, str, str, str, str]] = []
    ours = row.timings["detour"]
    for peer, timing in row.timings.items():
        if peer == "detour":
            continue
        ratio = row.ratio(peer)
        target = row.targets.get(peer)
        shown = f"{1 / ratio:.2f} times its time" if ratio < 1 else f"{ratio:.3g} times as fast"
        if ours.command and timing.command:
            shown += f" (by CPU time {row.cpu_ratio(peer):.3g})"
        if timing.timed_out:
            shown = f"more than {shown}"
        wanted = ""
        if target is not None:
            wanted = f"at most {1 / target:g} times its time" if target < 1 else f"at least {target:g} times as fast"
        verdict = "" if target is None else ("met" if ratio >= target else "MISSED")
        lines.append((row.name, ours.text, f"{peer}: {timing.text}", shown, f"{verdict} ({wanted})" if wanted else ""))
    return lines


def table(rows: Sequence[Row]) -> str:
    """The table as text."""
    cells = [line for row in rows for line in line_of(row)]
    widths = [max(len(cell[column]) for cell in cells) for column in range(5)]
    return "\n".join("  ".join(cell[column].ljust(widths[column]) for column in range(5)).rstrip() for cell in cells)


def plot(title: str, x_label: str, y_label: str, curves: Mapping[str, Mapping[float, float]]) -> str:
    """A line plot with logarithmic axes as SVG."""
    width, height, left, bottom, top, right = 560, 320, 70, 50, 40, 20
    xs = [x for curve in curves.values() for x in curve]
    ys = [y for curve in curves.values() for y in curve.values() if y > 0]
    x0, x1 = math.log10(min(xs)), math.log10(max(xs))
    y0, y1 = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)) + 1e-9)
    y1 = max(y1, y0 + 1)

    def px(x: float) -> float:
        return left + (math.log10(x) - x0) / ((x1 - x0) or 1) * (width - left - right)

    def py(y: float) -> float:
        return height - bottom - (math.log10(y) - y0) / (y1 - y0) * (height - bottom - top)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        'font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{width / 2}" y="20" text-anchor="middle" font-size="14">{title}</text>',
        f'<text x="{width / 2}" y="{height - 8}" text-anchor="middle">{x_label}</text>',
        f'<text x="16" y="{height / 2}" text-anchor="middle" transform="rotate(-90 16 {height / 2})">{y_label}</text>',
    ]
    for power in range(y0, y1 + 1):
        y = py(10.0**power)
        parts.append(f'<line x1="{left}" x2="{width - right}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g}</text>')
    parts += [
        f'<text x="{px(x):.1f}" y="{height - bottom + 16}" text-anchor="middle">{x:g}</text>' for x in sorted(set(xs))
    ]
    for (name, curve), colour in zip(curves.items(), ("#c2410c", "#1d4ed8", "#15803d"), strict=False):
        points = " ".join(f"{px(x):.1f},{py(y):.1f}" for x, y in sorted(curve.items()) if y > 0)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for x, y in curve.items():
            if y > 0:
                parts.append(f'<circle cx="{px(x):.1f}" cy="{py(y):.1f}" r="3" fill="{colour}"/>')
        x, y = max(curve.items())
        parts.append(f'<text x="{px(x) - 6:.1f}" y="{py(y) - 8:.1f}" text-anchor="end" fill="{colour}">{name}</text>')
    return "\n".join([*parts, "</svg>\n"])


def markdown_table(rows: Sequence[Row]) -> str:
    lines = ["| work | Detour, median (range) | beside | Detour is | asked |", "|---|---|---|---|---|"]
    for row in rows:
        lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in line_of(row)]
    return "\n".join(lines)
