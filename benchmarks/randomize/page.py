"""Write the page: its words from page.md, tables, pictures, verdicts."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.chart import Panel, draw
from benchmarks.pages import table, write_charts, write_page
from benchmarks.paper import count_confirmed

from .measures import BAYES, DISTANCES, LIKELIHOOD, METHODS, RANDOM, RATING, Distances, Requirement
from .results import COMPARED_L, SHOWN_L, Report, TableResults
from .statements import STATEMENTS, reconstruction_seconds

WORDS = Path(__file__).with_name("page.md")
IMAGES = Path("images") / "randomize"
CURVES = 2
"""The number of attributes for which curves are drawn; the tables have all."""


def write(report: Report, folder: Path) -> Path:
    """Write the page and its charts into a folder."""
    write_charts(folder / IMAGES, charts(report))
    return write_page(folder / "randomize.md", WORDS, parts(report))


def parts(report: Report) -> dict[str, str]:
    """The tables of page.md, by the mark that each replaces."""
    sizes = "; ".join(f"{each.title}: {each.rows:,} rows, {each.columns} columns" for each in report.tables)
    return {
        "size": f"{report.note}{sizes}.",
        "statements": "\n".join(verdicts(report)),
        "whole lists": whole_lists_table(report),
        "by l": "\n\n".join(distance_table(each, "l") for each in report.tables),
        "by t": "\n\n".join(distance_table(each, "t") for each in report.tables),
        "growth": growth_table(report),
        "anonymization": anonymization_table(report),
        "reconstruction": reconstruction_table(report),
    }


def verdicts(report: Report) -> list[str]:
    """How many statements are confirmed, and a line for each."""
    findings = {str(statement): statement.check(report) for statement in STATEMENTS}
    known = {words: finding for words, finding in findings.items() if finding is not None}
    rows = [
        [words, "confirmed" if finding.holds else "**not confirmed**", finding.reason]
        for words, finding in known.items()
    ]
    lines = table(["statement", "verdict", "measured"], rows, text=True)
    return [count_confirmed([finding.holds for finding in known.values()]), "", lines]


def whole_lists_table(report: Report) -> str:
    """How often the likelihood of whole lists is closer than its rivals, and by how much, over all settings."""
    rows = []
    for each in report.tables:
        for q in sorted({q for _, q in each.points}):
            rivals = {rival: paired(each, q, rival) for rival in (BAYES, RATING)}
            counts = [
                f"{sum(mine[i] < other[i] for mine, other in pairs)} of {len(pairs)}"
                for rival, pairs in rivals.items()
                for i in range(len(DISTANCES) if rival == BAYES else 1)
            ]
            ratios = [mine[0] / other[0] for mine, other in rivals[BAYES]]
            rows.append([f"{each.title}, q′ = {q}", *counts, f"{np.exp(np.mean(np.log(ratios))):.2f}"])
    closer = [f"{distance} closer than Bayes" for distance in DISTANCES]
    return table(["Likelihood", *closer, "L1 closer than Rating", "L1 over that of Bayes"], rows)


def paired(results: TableResults, attributes: int, rival: str) -> list[tuple[Distances, Distances]]:
    """The distances of the likelihood and of a rival, at each setting that both were run with."""
    settings = [requirement for requirement, q in results.points if q == attributes]
    both = [(results.mean(each, attributes, LIKELIHOOD), results.mean(each, attributes, rival)) for each in settings]
    return [(mine, other) for mine, other in both if mine and other]


def distance_table(results: TableResults, model: str) -> str:
    """L1, L2 and Hellinger by number of attributes, method and requirement."""
    requirements = results.requirements(model)
    rows = [
        [f"q′ = {q}, {method}", *cells]
        for q in sorted({q for each, q in results.points if each.model == model})
        for method in METHODS
        if any(cells := [describe(results.mean(each, q, method)) for each in requirements])
    ]
    rows = [[name, *(cell or "–" for cell in cells)] for name, *cells in rows]
    return table([f"{results.title}: L1 / L2 / Hellinger", *map(str, requirements)], rows)


def describe(distances: Distances | None) -> str:
    """Three numbers, or nothing."""
    return "" if distances is None else " / ".join(f"{value:.3f}" for value in distances)


def growth_table(report: Report) -> str:
    """Distances by the number of rows."""
    rows = [
        [f"q′ = {q}, {method}", *(describe(each) for each in report.growth.mean(q, method))]
        for q in report.growth.measured
        for method in METHODS
    ]
    return table([f"Census, l = {SHOWN_L}: L1 / L2 / Hellinger", *(f"{n:,} rows" for n in report.growth.rows)], rows)


def anonymization_table(report: Report) -> str:
    """Seconds by l."""
    each = report.anonymization
    lines = {"randomize": each.randomize, "Rating": each.rating}
    rows = [[name, *(f"{seconds:.1f}" for seconds in line.values())] for name, line in lines.items()]
    return table([f"{each.rows:,} rows, {each.columns} columns: seconds", *(f"l = {l}" for l in each.randomize)], rows)


def reconstruction_table(report: Report) -> str:
    """Seconds by number of attributes."""
    by_number = reconstruction_seconds(report)
    methods = list(next(iter(by_number.values())))
    rows = [[method, *(f"{seconds[method]:.2f}" for seconds in by_number.values())] for method in methods]
    return table([f"Census, l = {COMPARED_L}: seconds", *(f"q′ = {q}" for q in by_number)], rows)


def charts(report: Report) -> dict[str, str]:
    """The charts, by file name."""
    drawn = {}
    for each in report.tables:
        for model in ("l", "t"):
            panels = [curve(each, model, i, CURVES) for i in range(len(DISTANCES))]
            drawn[f"{each.title.lower()}_by_{model}"] = draw(panels, "distance")
    drawn["by_attributes"] = draw([by_attributes(each) for each in report.tables], "L1 distance")
    drawn["growth"] = draw([growth_panel(report, q) for q in report.growth.measured], "L1 distance")
    return drawn


def curve(results: TableResults, model: str, distance: int, attributes: int) -> Panel:
    """One distance over all l, or all t."""
    requirements = results.requirements(model)
    series = {
        method: line
        for method in METHODS
        if any(line := [pick(results.mean(each, attributes, method), distance) for each in requirements])
    }
    ticks = [f"{each.value:g}" for each in requirements]
    return Panel(f"{results.title}: {DISTANCES[distance]}", ticks, series, across=model)


def by_attributes(results: TableResults) -> Panel:
    """L1 over the number of attributes."""
    compared = Requirement("l", COMPARED_L)
    numbers = sorted({q for each, q in results.points if each == compared})
    series = {m: [pick(results.mean(compared, q, m), 0) for q in numbers] for m in METHODS}
    return Panel(f"{results.title}, l = {COMPARED_L}", [str(q) for q in numbers], series, across="attributes")


def growth_panel(report: Report, attributes: int) -> Panel:
    """L1 over the number of rows."""
    series = {m: [each[0] for each in report.growth.mean(attributes, m)] for m in METHODS if m != RANDOM}
    # Rating can be exact, which has no place on a logarithmic axis.
    known = {m: [value if value > 1e-6 else None for value in line] for m, line in series.items()}
    title = f"Census, l = {SHOWN_L}, q′ = {attributes}"
    return Panel(title, [f"{n:,}" for n in report.growth.rows], known, across="rows", logarithmic=True)


def pick(distances: Distances | None, which: int) -> float | None:
    """One of the three."""
    return None if distances is None else distances[which]
