"""Charts as SVG, by Vega-Lite. Colours are variables of the page: one drawing does for light, dark and paper."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import vl_convert

WIDTH = 360
"""As wide as a small telephone; a page scales it a little."""

LABELS = 106
"""Pixels for the names beside bars; longer ones are cut by Vega."""

BEFORE, AFTER = "var(--before)", "var(--after)"
LINES = ("var(--line-1)", "var(--line-2)", "var(--line-3)", "var(--line-4)")
FONT = "system-ui, sans-serif"
CONFIG: Mapping[str, Any] = {
    "background": "transparent",
    "font": FONT,
    "view": {"stroke": None},
    "axis": {
        "labelColor": "var(--ink)",
        "titleColor": "var(--quiet)",
        "titleFontWeight": "normal",
        "labelFontSize": 12,
        "titleFontSize": 12,
        "domain": False,
        "ticks": False,
        "gridColor": "var(--edge)",
    },
    "text": {"color": "var(--ink)", "fontSize": 12},
}


def svg(spec: Mapping[str, Any], left: int, bottom: int = 4) -> str:
    """The drawing of a chart with so much room at its left and below. Nothing is fetched: all data is in the spec."""
    margins = {"left": left, "right": 4, "top": 4, "bottom": bottom}
    whole = {"autosize": "none", "width": WIDTH - left - 4, "padding": margins, **spec}
    return str(vl_convert.vegalite_to_svg(whole, config=dict(CONFIG), allowed_base_urls=[]))


def bars(
    labels: Sequence[str],
    series: Mapping[str, Sequence[float]],
    texts: Mapping[str, Sequence[str]],
    *,
    whole: bool = False,
    marked: Collection[int] = (),
) -> str:
    """Bars that lie, one for each series beside each label, with its text at the end.

    `series` and `texts` are by colour. `whole`: the scale is 0 to 1, which a track shows. Labels at the positions in
    `marked` have the colour of a warning.
    """
    rows = [
        {"position": position, "series": number, "value": values[position], "text": texts[color][position], "all": 1}
        for number, (color, values) in enumerate(series.items())
        for position in range(len(labels))
    ]
    names = [
        {"position": position, "label": label, "marked": position in marked} for position, label in enumerate(labels)
    ]
    largest = 1.0 if whole else max((value for values in series.values() for value in values), default=0.0) or 1.0
    scale = {"domain": [0, largest * 1.3], "nice": False}
    x = {"field": "value", "type": "quantitative", "axis": None, "scale": scale, "stack": None}
    y = {"field": "position", "type": "ordinal", "axis": None, "scale": {"paddingInner": 0.3, "paddingOuter": 0.1}}
    offset = {"field": "series", "type": "ordinal", "scale": {"paddingInner": 0.12}}
    colors = {"domain": list(range(len(series))), "range": list(series)}
    color = {"field": "series", "type": "ordinal", "legend": None, "scale": colors}
    bar = {"type": "bar", "cornerRadius": 2}
    layers: list[dict[str, Any]] = [
        {"mark": bar, "encoding": {"x": x, "y": y, "yOffset": offset, "color": color}},
        {
            "mark": {"type": "text", "align": "left", "baseline": "middle", "dx": 5},
            "encoding": {"x": x, "y": y, "yOffset": offset, "text": {"field": "text"}},
        },
        {
            "data": {"values": names},
            "mark": {"type": "text", "align": "right", "baseline": "middle", "x": -8, "limit": LABELS},
            "encoding": {
                "y": y,
                "text": {"field": "label"},
                "color": {"condition": {"test": "datum.marked", "value": "var(--bad)"}, "value": "var(--ink)"},
            },
        },
    ]
    if whole:
        full = {"x": {**x, "field": "all"}, "y": y, "yOffset": offset, "color": {"value": "var(--track)"}}
        layers.insert(0, {"mark": bar, "encoding": full})
    height = (22 if len(series) == 1 else 38) * len(labels)
    return svg({"height": height, "data": {"values": rows}, "layer": layers}, left=LABELS + 20)


def curves(
    points: Sequence[Mapping[str, object]], chosen: Mapping[str, object] | None, words: Mapping[str, str]
) -> str:
    """Lines through points (`name`, `across`, `up`), one line for each name in the order of names, and one more point.

    `words` has the titles of the axes and what stands beside the chosen point. Up is logarithmic: 1 in 2, 1 in 20.
    """
    names = list(dict.fromkeys(str(point["name"]) for point in points))
    ticks = sorted({float(str(point["up"])) for point in points})
    ups = sorted([*ticks, *([float(str(chosen["up"]))] if chosen else [])])
    across = {
        "field": "across",
        "type": "quantitative",
        "scale": {"zero": True, "nice": True},
        "axis": {"title": words["across"], "format": "~%", "tickCount": 4},
    }
    up = {
        "field": "up",
        "type": "quantitative",
        "scale": {"type": "log", "domain": [ups[0] / 1.15, ups[-1] * 1.15], "nice": False},
        "axis": {"title": None, "values": ticks, "labelExpr": "'1 in ' + round(1 / datum.value)", "labelOverlap": True},
    }
    scale = {"domain": names, "range": [LINES[position % len(LINES)] for position in range(len(names))]}
    color = {"field": "name", "type": "nominal", "legend": None, "scale": scale}
    layers: list[dict[str, Any]] = [
        {"mark": {"type": "line", "strokeWidth": 2}, "encoding": {"x": across, "y": up, "color": color}},
        {"mark": {"type": "point", "filled": True, "size": 50}, "encoding": {"x": across, "y": up, "color": color}},
    ]
    if chosen:
        ring = {"type": "point", "size": 220, "strokeWidth": 2.5, "color": "var(--ink)", "filled": False}
        largest = max(float(str(point["across"])) for point in points)
        right = float(str(chosen["across"])) > largest / 2
        beside = {"type": "text", "fontWeight": "bold", "dy": -14}
        beside |= {"align": "right", "dx": -4} if right else {"align": "left", "dx": 8}
        layers += [
            {"data": {"values": [chosen]}, "mark": ring, "encoding": {"x": across, "y": up}},
            {
                "data": {"values": [chosen]},
                "mark": beside,
                "encoding": {"x": across, "y": up, "text": {"value": words["chosen"]}},
            },
        ]
    return svg({"height": 230, "data": {"values": list(points)}, "layer": layers}, left=58, bottom=42)
