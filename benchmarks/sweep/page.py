"""Write the page: its words from page.md, tables, pictures, verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill

from benchmarks.chart import Panel, draw
from benchmarks.pages import table, write_charts, write_page
from benchmarks.paper import Finding, Statement, count_confirmed

from .methods import METHODS, ROUNDING, SWEEP
from .results import Outcome, Results, excess, seconds, worth
from .statements import STATEMENTS, names

WORDS = Path(__file__).with_name("page.md")
IMAGES = Path("images") / "sweep"

Value = Callable[[Outcome], float | None]
Verdict = tuple[str, bool, dict[str, Finding]]


@dataclass(frozen=True)
class SkewedRelease:
    """A release of SWEEP for a table with max l = 1: rows, quasi-identifiers, sensitive values, information."""

    name: str
    rows: int
    columns: int
    values: int
    setting: tuple[float, int]
    information: float
    sa_exact: float
    seconds: float


@dataclass(frozen=True)
class Report:
    """All there is to write."""

    results: Sequence[Results]
    skewed: Sequence[SkewedRelease]
    eligible: Sequence[tuple[str, str, int, int, int]]
    size: str


def write(report: Report, folder: Path) -> Path:
    """Write the page and its pictures into a folder."""
    write_charts(folder / IMAGES, pictures(report))
    return write_page(folder / "sweep.md", WORDS, parts(report))


def parts(report: Report) -> dict[str, str]:
    """The tables of page.md, by the mark that each replaces."""
    results = report.results
    return {
        "size": report.size,
        "statements": "\n".join(verdict_lines(report)),
        "excess": tables(results, {"setting": label, "excessive protection": number(excess)}),
        "information": tables(
            results,
            {"information": number(worth("information")), "rows with their exact sensitive value": percent("sa_exact")},
        ),
        "skewed": skewed_table(report.skewed),
        "eligible": table(
            ["table", "sensitive", "values", "max ℓ", "paper"],
            [[name, sa, str(count), str(most), str(paper)] for name, sa, count, most, paper in report.eligible],
        ),
        "trees": "\n\n".join(tables([each], tree_measures(each)) for each in results),
        "rule counts": fill(" ".join(rule_counts(each) for each in results), 120, break_on_hyphens=False),
        "rules": tables(
            results,
            {
                "rules upheld": number(worth("upheld_rules"), ".0f"),
                "of them, not for a class that nearly everybody has": number(worth("telling_rules"), ".0f"),
                "rules with the accuracy and cover of the source": number(worth("rules"), ".0f"),
            },
        ),
        "errors": tables(results, {"average": number(worth("error")), "median": number(worth("median_error"))}),
        "dimensions": "\n\n".join(map(dimensions, results)),
        "time": tables(results, {"with the search": number(seconds, ".1f"), "one release": number(one_release, ".1f")}),
    }


def verdict_lines(report: Report) -> Iterable[str]:
    """One item per statement, and how many are confirmed."""
    verdicts = [*(judge(statement, report.results) for statement in STATEMENTS), *judge_others(report)]
    lines = [verdict_line(*verdict) for verdict in verdicts]
    return [count_confirmed([holds for _, holds, _ in verdicts]), "", *lines]


def judge(statement: Statement[Results], results: Sequence[Results]) -> Verdict:
    """A statement on every table that has something to say about it: confirmed if it holds on all of them."""
    findings = {each.experiment.name: statement.check(each) for each in results}
    known = {name: finding for name, finding in findings.items() if finding is not None}
    return str(statement), bool(known) and all(finding.holds for finding in known.values()), known


def judge_others(report: Report) -> Iterable[Verdict]:
    """The two statements that are not about one experiment."""
    useful = judge_skewed(report.skewed)
    words = "SWEEP makes useful releases of tables with max ℓ = 1, information 0.7 for Adult by salary. (Fig. 13)"
    yield words, useful.holds, {"": useful}
    other = [(name, sa, most, paper) for name, sa, _, most, paper in report.eligible if most != paper]
    others = ", ".join(f"{name} by {sa}: {most} instead of {paper}" for name, sa, most, paper in other)
    same = len(report.eligible) - len(other)
    finding = Finding(not other, f"{same} of {len(report.eligible)} tables{others and ': '}{others}")
    yield "Most tables have a small max ℓ, as listed. (Table 1)", finding.holds, {"": finding}


def verdict_line(words: str, holds: bool, findings: dict[str, Finding]) -> str:
    """A statement, its verdict, and the reason on each table."""
    reasons = "; ".join(f"{name}: {each.reason}" if name else each.reason for name, each in findings.items())
    reasons = reasons or "nothing to compare in this run"
    line = f"* **{'confirmed' if holds else 'not confirmed'}** {words} *{reasons}.*"
    return fill(line, 120, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def judge_skewed(releases: Sequence[SkewedRelease]) -> Finding:
    """Useful: more than half of the information; and as much as the paper has for Adult."""
    first = [each for each in releases if each.setting == (0.5, 2)]
    useful = sum(each.information > 0.5 for each in first)
    shown = f"{useful} of {len(first)} tables keep more than half at (0.5, 2)"
    adult = next((each.information for each in first if each.name.startswith("Adult")), 0.0)
    return Finding(useful == len(first) and adult >= 0.7, f"{shown}; Adult by salary keeps {adult:.2f}")


def tables(results: Sequence[Results], measures: dict[str, Callable[[Outcome], str]]) -> str:
    """Measures by method and requirement."""
    written = []
    for each in results:
        header = [names([setting]) for setting in each.outcomes]
        for name, shown in measures.items():
            rows = [[m, *(shown(by_method[m]) for by_method in each.outcomes.values())] for m in METHODS]
            written.append(table([f"{each.experiment.name}: {name}", *header], rows))
    return "\n\n".join(written)


def tree_measures(results: Results) -> dict[str, Callable[[Outcome], str]]:
    """Trees for the sensitive attribute, and for the class of the rules if that is another column."""
    experiment = results.experiment
    measures = {f"trees for {experiment.sa}": number(worth("tree_ratio"))}
    if experiment.rules.target != experiment.sa:
        measures[f"trees for {experiment.rules.target}"] = number(worth("class_tree_ratio"))
    return measures


def number(value: Value, form: str = ".3f") -> Callable[[Outcome], str]:
    """A number, or a dash."""
    return lambda outcome: "–" if (measured := value(outcome)) is None else format(measured, form)


def percent(name: str) -> Callable[[Outcome], str]:
    """A share, or a dash."""
    return number(worth(name), ".0%")


def label(outcome: Outcome) -> str:
    """The setting that was chosen."""
    return outcome.choice.release.label if outcome.choice.release else "–"


def one_release(outcome: Outcome) -> float | None:
    """The time of the release that was chosen, alone."""
    return outcome.choice.release.seconds if outcome.choice.release else None


def rule_counts(results: Results) -> str:
    """How many rules the source has, here and in the paper."""
    first = next(iter(results.outcomes.values()))[SWEEP].worth
    rules = results.experiment.rules
    counts = (first.source_rules, first.source_telling_rules) if first else (0, 0)
    shown = f"The source {results.experiment.name} has {counts[0]} (paper: {rules.in_paper})"
    return shown + (
        f", {counts[1]} of them not for a class that nearly everybody has." if counts[0] > counts[1] else "."
    )


def dimensions(results: Results) -> str:
    """Errors by dimension under one requirement: averages, then medians."""
    by_method = results.outcomes[results.experiment.shown]
    known = {m: o.worth for m, o in by_method.items() if o.worth is not None}
    dims = range(1, len(results.experiment.qi) + 2)
    averages = [[m, *(describe_error(found.errors, d) for d in dims)] for m, found in known.items()]
    medians = [[f"{m}, median", *(describe_error(found.median_errors, d) for d in dims)] for m, found in known.items()]
    return table(
        [f"{results.experiment.name}, {names([results.experiment.shown])}", *map(str, dims)], averages + medians
    )


def describe_error(errors: Mapping[int, float], dims: int) -> str:
    """An error, or a dash where no query found a row."""
    return f"{errors[dims]:.3f}" if dims in errors else "–"


def skewed_table(releases: Sequence[SkewedRelease]) -> str:
    """The releases of SWEEP for tables with max l = 1."""
    header = ["table", "rows", "quasi-identifiers", "values", "(τ, ℓ)", "information", "exact values", "seconds"]
    return table(
        header,
        [
            [each.name, f"{each.rows:,}", str(each.columns), str(each.values), names([each.setting]),
             f"{each.information:.3f}", f"{each.sa_exact:.0%}", f"{each.seconds:.1f}"]
            for each in releases
        ],
    )  # fmt: skip


def pictures(report: Report) -> dict[str, str]:
    """The charts, by file name."""
    lines: dict[str, tuple[str, Value, bool]] = {
        "excess": ("excessive protection", excess, False),
        "information": ("information", worth("information"), False),
        "trees": ("ratio of accuracies", worth("tree_ratio"), False),
        "rules": ("upheld rules", worth("upheld_rules"), False),
        "errors": ("average relative error", worth("error"), False),
        "time": ("seconds", seconds, True),
    }
    drawn = {
        name: draw([by_setting(each, value, logarithmic) for each in report.results], upward)
        for name, (upward, value, logarithmic) in lines.items()
    }
    drawn["dimensions"] = draw([by_dimension(each) for each in report.results], "average relative error")
    drawn["values"] = draw([by_value(each) for each in report.results], "relative error")
    drawn["skewed"] = draw([skewed_panel(report.skewed)], "information")
    return drawn


def by_setting(results: Results, value: Value, logarithmic: bool) -> Panel:
    """One measure over the requirements."""
    ticks = [names([setting]).strip("()") for setting in results.outcomes]
    series = {method: results.series(method, value) for method in METHODS}
    return Panel(results.experiment.name, ticks, series, across="τ, ℓ", logarithmic=logarithmic)


def by_dimension(results: Results) -> Panel:
    """Errors over the dimensions of queries, under one requirement."""
    by_method = results.outcomes[results.experiment.shown]
    dims = range(1, len(results.experiment.qi) + 2)
    series = {m: [o.worth.errors.get(d) if o.worth else None for d in dims] for m, o in by_method.items()}
    title = f"{results.experiment.name}, {names([results.experiment.shown])}"
    return Panel(title, [str(d) for d in dims], series, across="dimensions")


def by_value(results: Results) -> Panel:
    """Errors of counts of sensitive values, under the weakest, a middle and the strongest requirement; 0 is a gap."""
    settings = list(results.count_errors)
    chosen = {"weakest": settings[0], "middle": settings[(len(settings) - 1) // 2], "strongest": settings[-1]}
    series = {
        name: [error if error > ROUNDING else None for error in results.count_errors[setting].values()]
        for name, setting in chosen.items()
    }
    title = f"{results.experiment.name}: {names(dict.fromkeys(chosen.values()))}"
    return Panel(title, list(results.count_errors[settings[0]]), series, logarithmic=True, bars=True)


def skewed_panel(releases: Sequence[SkewedRelease]) -> Panel:
    """Information of SWEEP's releases of tables with max l = 1."""
    first = [each for each in releases if each.setting == (0.5, 2)]
    return Panel(
        "(0.5, 2)-diversity", [each.name for each in first], {SWEEP: [each.information for each in first]}, bars=True
    )
