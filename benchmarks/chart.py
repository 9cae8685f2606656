"""Small charts as SVG: lines or bars over named ticks, side by side in one picture."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

COLORS = ("#0072B2", "#D55E00", "#009E73", "#777777", "#CC79A7")
WIDTH, HEIGHT = 470, 300
LEFT, RIGHT, TOP, BOTTOM = 66, 14, 34, 66
FONT = 'font-family="Helvetica, Arial, sans-serif"'

Series = Mapping[str, Sequence[float | None]]


@dataclass(frozen=True)
class Panel:
    """One chart: a value of each series at each tick, None for a gap. `bars` draws bars instead of lines."""

    title: str
    ticks: Sequence[str]
    series: Series
    across: str = ""
    logarithmic: bool = False
    bars: bool = False


def draw(panels: Sequence[Panel], upward: str) -> str:
    """The panels side by side, with a legend below."""
    width, height = WIDTH * len(panels), HEIGHT + 26
    names = list(dict.fromkeys(name for panel in panels for name in panel.series))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" {FONT}>',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for i, panel in enumerate(panels):
        parts += [f'<g transform="translate({i * WIDTH},0)">', *panel_parts(panel, upward), "</g>"]
    if len(names) > 1:
        parts += legend(names, width, height)
    return "\n".join([*parts, "</svg>"]) + "\n"


def panel_parts(panel: Panel, upward: str) -> list[str]:
    """Axes, then each series."""
    values = [value for line in panel.series.values() for value in line if value is not None]
    scale = Scale.fitting(values, panel.logarithmic)
    parts = [text(WIDTH / 2 + 20, 20, panel.title, size=14, weight="bold")]
    for tick in scale.ticks:
        y = scale.y(tick)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e0e0e0"/>')
        parts.append(text(LEFT - 6, y + 4, f"{tick:g}", anchor="end"))
    parts.append(text(14, (TOP + HEIGHT - BOTTOM) / 2, upward, turn=-90))
    for i, tick in enumerate(panel.ticks):
        parts += tick_label(panel, i, tick)
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, panel.across))
    for number, line in enumerate(panel.series.values()):
        draw_series = bar_parts if panel.bars else line_parts
        parts += draw_series(panel, scale, number, line)
    return parts


def tick_label(panel: Panel, i: int, tick: str) -> list[str]:
    """The name below a tick; long names are turned."""
    x, y = x_of(panel, i), HEIGHT - BOTTOM + 16
    if max(map(len, panel.ticks)) * 6.5 * len(panel.ticks) < WIDTH - LEFT - RIGHT:
        return [text(x, y, tick)]
    return [text(x + 4, y - 4, tick, anchor="end", turn=-35)]


def line_parts(panel: Panel, scale: Scale, number: int, line: Sequence[float | None]) -> list[str]:
    """A line with a mark at each tick; it is broken where there is no value."""
    color, parts, run = COLORS[number % len(COLORS)], [], []
    for i, value in enumerate([*line, None]):
        if value is None:
            if len(run) > 1:
                points = " ".join(f"{x:.1f},{y:.1f}" for x, y in run)
                parts.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>')
            parts += [mark(number, x, y, color) for x, y in run]
            run = []
        else:
            run.append((x_of(panel, i), scale.y(value)))
    return parts


def bar_parts(panel: Panel, scale: Scale, number: int, line: Sequence[float | None]) -> list[str]:
    """A bar at each tick, beside those of other series."""
    whole = (WIDTH - LEFT - RIGHT) / len(panel.ticks) * 0.75
    width = whole / len(panel.series)
    parts = []
    for i, value in enumerate(line):
        if value is not None:
            x, y = x_of(panel, i) - whole / 2 + number * width, scale.y(value)
            size = f'width="{width * 0.92:.1f}" height="{scale.floor - y:.1f}"'
            parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" {size} fill="{COLORS[number % len(COLORS)]}"/>')
    return parts


def mark(number: int, x: float, y: float, color: str) -> str:
    """A circle, a square, a triangle, a diamond: so that colors are not all."""
    if number % 4 == 0:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{color}"/>'
    if number % 4 == 1:
        return f'<rect x="{x - 3.7:.1f}" y="{y - 3.7:.1f}" width="7.4" height="7.4" fill="{color}"/>'
    if number % 4 == 3:
        return (
            f'<path d="M{x:.1f} {y - 5:.1f} L{x + 5:.1f} {y:.1f} L{x:.1f} {y + 5:.1f} L{x - 5:.1f} {y:.1f} Z" '
            f'fill="{color}"/>'
        )
    return (
        f'<path d="M{x:.1f} {y - 5:.1f} L{x + 4.8:.1f} {y + 3.8:.1f} L{x - 4.8:.1f} {y + 3.8:.1f} Z" fill="{color}"/>'
    )


def legend(names: Sequence[str], width: float, height: float) -> list[str]:
    """The names of the series in a row."""
    step = max(90.0, 8.0 * max(map(len, names)) + 30)
    left = (width - step * len(names)) / 2
    parts = []
    for i, name in enumerate(names):
        parts.append(mark(i, left + i * step + 8, height - 14, COLORS[i % len(COLORS)]))
        parts.append(text(left + i * step + 18, height - 10, name, anchor="start"))
    return parts


@dataclass(frozen=True)
class Scale:
    """From values to heights."""

    low: float
    high: float
    ticks: Sequence[float]
    logarithmic: bool
    floor: float = HEIGHT - BOTTOM

    @classmethod
    def fitting(cls, values: Sequence[float], logarithmic: bool) -> Scale:
        """A scale with round ticks that holds all values; from 0, or in powers of ten."""
        if logarithmic:
            above = [value for value in values if value > 0] or [1.0]
            low, high = math.floor(math.log10(min(above))), math.ceil(math.log10(max(above)) + 1e-9)
            ticks = [10.0**power for power in range(low, max(high, low + 1) + 1)]
            return cls(low, max(high, low + 1), ticks, logarithmic=True)
        top = max([*values, 1e-9])
        step = 10.0 ** math.floor(math.log10(top / 4))
        step *= next(times for times in (1, 2, 2.5, 5, 10) if top / (step * times) <= 5)
        count = math.ceil(top / step - 1e-9)
        return cls(0, count * step, [round(i * step, 10) for i in range(count + 1)], logarithmic=False)

    def y(self, value: float) -> float:
        """The height of a value."""
        position = math.log10(value) if self.logarithmic else value
        return self.floor - (position - self.low) / (self.high - self.low) * (self.floor - TOP)


def x_of(panel: Panel, i: int) -> float:
    """Where a tick is."""
    return LEFT + (WIDTH - LEFT - RIGHT) * (i + 0.5) / len(panel.ticks)


def text(
    x: float, y: float, words: str, *, anchor: str = "middle", size: int = 11, weight: str = "normal", turn: int = 0
) -> str:
    """Words at a point."""
    turned = f' transform="rotate({turn} {x:.1f} {y:.1f})"' if turn else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" font-weight="{weight}" '
        f'fill="#333333"{turned}>{escape(words)}</text>'
    )
