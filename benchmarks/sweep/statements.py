"""The statements of the paper on its experiments, each with a check against the numbers of this run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from benchmarks.paper import Finding, Statement

from .methods import CLD, METHODS, ONE_D, ROUNDING, SWEEP
from .results import Outcome, Results, excess, seconds, worth

Value = Callable[[Outcome], float | None]
SMALL = 0.05
"""A relative error that may be called very small; twice that is not much."""


def all_release(results: Results) -> Finding:
    without = missing(results, SWEEP)
    return Finding(not without, f"{len(results.outcomes) - len(without)} of {len(results.outcomes)} requirements")


def others_fail(results: Results) -> Finding:
    failed = {method: missing(results, method) for method in (ONE_D, CLD)}
    shown = "; ".join(
        f"{method}: none for {names(settings) or 'no requirement'}" for method, settings in failed.items()
    )
    if results.impossible:
        shown += f"; for {names(results.impossible)} the table as a whole is above the bounds, so nobody who publishes"
        shown += " exact sensitive values has one"
    return Finding(all(failed.values()), shown)


def less_excess(results: Results) -> Finding:
    return compare_sweep(results, excess, larger=False)


def one_d_less_excess(results: Results) -> Finding:
    return compare(results, ONE_D, (CLD,), excess, larger=False)


def cld_irregular(results: Results) -> Finding | None:
    line = [value for value in results.series(CLD, excess) if value is not None]
    if len(line) < 3:
        return None
    turns = sum((b - a) * (c - b) < 0 for a, b, c in zip(line, line[1:], line[2:], strict=False))
    return Finding(turns > 0, f"the curve of CLD turns {turns} times: {values(line)}")


def broken_by_others(results: Results) -> Finding | None:
    if not results.violations:
        return None
    shown = "; ".join(
        f"{each.method} breaks a bound of {names([each.setting])} in {each.broken:,} of {each.classes:,} classes "
        f"with {each.label}, the best of its settings"
        for each in results.violations
    )
    return Finding(all(each.broken for each in results.violations), shown)


def more_information(results: Results) -> Finding:
    return compare_sweep(results, worth("information"))


def one_d_more_information(results: Results) -> Finding:
    return compare(results, ONE_D, (CLD,), worth("information"))


def excess_costs_information(results: Results) -> Finding | None:
    candidates = results.candidates
    if len(candidates.excess) < 4:
        return None
    correlation = rank_correlation(candidates.excess, candidates.information)
    shown = f"rank correlation {correlation:.2f} over the {len(candidates.excess)} different releases of CLD and 1DLD"
    return Finding(correlation < -0.3, f"{shown} that satisfy {names([next(iter(results.outcomes))])}")


def better_trees(results: Results) -> Finding:
    finding = compare_sweep(results, worth("tree_ratio"))
    if results.experiment.rules.target == results.experiment.sa:
        return finding
    other = compare_sweep(results, worth("class_tree_ratio"))
    sa, target = results.experiment.sa, results.experiment.rules.target
    return Finding(
        finding.holds and other.holds, f"trees for {sa}: {finding.reason}; trees for {target}: {other.reason}"
    )


def information_without_accuracy(results: Results) -> Finding | None:
    if results.experiment.name != "Nursery":
        return None
    information, trees, exact = (
        [value or 0.0 for value in results.series(SWEEP, worth(name)) or ()]
        for name in ("information", "tree_ratio", "sa_exact")
    )
    rises = any(b > a for a, b in pairwise(information))
    shown = f"information {values(information)}; ratio of trees {values(trees)}; exact classes {values(exact)}"
    return Finding(rises and trees[-1] < trees[0] and exact[-1] < exact[0], shown)


def more_rules(results: Results) -> Finding:
    upheld, strict, telling = (
        compare_sweep(results, worth(name)) for name in ("upheld_rules", "rules", "telling_rules")
    )
    shown = f"rules upheld: {upheld.reason}; with the accuracy and cover of the source: {strict.reason}"
    return Finding(upheld.holds, f"{shown}; without those for a class that nearly everybody has: {telling.reason}")


def smaller_errors(results: Results) -> Finding:
    mean = compare_sweep(results, worth("error"), larger=False)
    median = compare_sweep(results, worth("median_error"), larger=False)
    return Finding(mean.holds, f"on average {mean.reason}; by medians {median.reason}")


def errors_rise(results: Results) -> Finding:
    lines = {method: [v for v in results.series(method, worth("error")) if v is not None] for method in METHODS}
    compared = {method: line for method, line in lines.items() if len(line) > 1}
    shown = "; ".join(f"{method} {line[0]:.2f} → {line[-1]:.2f}" for method, line in compared.items())
    return Finding(all(line[-1] > line[0] for line in compared.values()), shown)


def better_beyond_one_dimension(results: Results) -> Finding | None:
    by_method = results.outcomes.get(results.experiment.shown)
    if by_method is None or (mine := by_method[SWEEP].worth) is None:
        return None
    others = {m: found for m in (ONE_D, CLD) if (found := by_method[m].worth) is not None}
    if not others:
        return None
    behind = [
        f"{dims} ({mine.errors[dims]:.2f} against {found.errors[dims]:.2f} of {method})"
        for method, found in others.items()
        for dims in mine.errors
        if dims > 1 and mine.errors[dims] > found.errors[dims]
    ]
    shown = f"{names([results.experiment.shown])}: " + (f"behind at {', '.join(behind)}" if behind else "ahead at all")
    return Finding(not behind, shown)


def one_dimension_suffers(results: Results) -> Finding:
    lines = {m: [found.errors[1] for e in results.outcomes.values() if (found := e[m].worth)] for m in METHODS}
    zero = all(error < ROUNDING for m in (ONE_D, CLD) for error in lines[m])
    mine = results.outcomes[results.experiment.shown][SWEEP].worth
    error, median = (mine.errors[1], mine.median_errors[1]) if mine else (1.0, 1.0)
    shown = f"{names([results.experiment.shown])}: SWEEP {error:.3f} (median {median:.3f}), the others "
    return Finding(zero and 0 < error <= 2 * SMALL, shown + ("always 0" if zero else "not always 0"))


def counts_hardly_change(results: Results) -> Finding:
    setting = next(iter(results.count_errors))
    errors = results.count_errors[setting]
    first, worst = next(iter(errors)), max(errors, key=lambda value: errors[value])
    small = sum(error <= SMALL for error in errors.values())
    shown = f"{names([setting])}: {first} {errors[first]:.3f}; at most {SMALL} for {small} of {len(errors)} values"
    return Finding(small == len(errors), f"{shown}; the worst is {worst} with {errors[worst]:.3f}")


def generalization_of_frequent_values(results: Results) -> Finding:
    first, *_, last = results.exact
    strongest = results.exact[last]
    counts, general = [n for n, _ in strongest.values()], [1 - exact for _, exact in strongest.values()]
    correlation = rank_correlation(counts, general)
    shown = f"at {names([last])} the share of rows generalized goes with the frequency of a value: {correlation:.2f}"
    top = next(iter(strongest))
    rises = strongest[top][1] < results.exact[first][top][1]
    return Finding(correlation > 0.3 and rises, f"{shown} (rank correlation); {top}: {1 - strongest[top][1]:.0%}")


def faster(results: Results) -> Finding:
    pairs = [
        (mine, one_d, cld)
        for mine, one_d, cld in zip(*(results.series(method, seconds) for method in METHODS), strict=True)
        if mine is not None and one_d is not None and cld is not None
    ]
    if not pairs:
        return Finding(False, "no requirement that all can meet")
    to_one_d, to_cld = (min(row[i] / row[0] for row in pairs) for i in (1, 2))
    shown = f"the search of 1DLD takes at least {to_one_d:.1f} times as long, that of CLD at least {to_cld:.1f} times"
    return Finding(to_one_d >= 3 and to_cld > 1, shown)


def time_rises(results: Results) -> Finding:
    line = [value for value in results.series(SWEEP, seconds) if value is not None]
    correlation = rank_correlation(range(len(line)), line)
    return Finding(correlation > 0.5, f"{', '.join(f'{value:.1f}' for value in line)} seconds, weakest first")


def same_setting_again(results: Results) -> Finding | None:
    labels = [o.choice.release.label for each in results.outcomes.values() if (o := each[CLD]).choice.release]
    if len(labels) < 2:
        return None
    often = max(labels, key=labels.count)
    return Finding(labels.count(often) > 1, f"{often} for {labels.count(often)} of {len(labels)} requirements")


STATEMENTS: tuple[Statement[Results], ...] = (
    Statement("Fig. 11", "SWEEP has a release for every requirement.", all_release),
    Statement("Fig. 11", "CLD and 1DLD have none for some requirements.", others_fail),
    Statement("Fig. 9–11", "SWEEP protects less excessively than CLD and 1DLD.", less_excess),
    Statement("Fig. 11", "1DLD protects less excessively than CLD.", one_d_less_excess),
    Statement(
        "Fig. 11", "The excessive protection of CLD goes up and down as requirements get stronger.", cld_irregular
    ),
    Statement(
        "Fig. 12",
        "Where CLD and 1DLD fail, cumulative frequencies in their classes exceed the bounds.",
        broken_by_others,
    ),
    Statement("Fig. 16", "SWEEP keeps more information than CLD and 1DLD.", more_information),
    Statement("Fig. 16", "1DLD keeps more information than CLD.", one_d_more_information),
    Statement("5.3.1", "The more excessive protection, the less information.", excess_costs_information),
    Statement("Fig. 17", "Decision trees learned from SWEEP's releases are the most accurate.", better_trees),
    Statement(
        "Fig. 17",
        "On Nursery, SWEEP generalizes more sensitive values as requirements get stronger: information may rise while "
        "trees get worse.",
        information_without_accuracy,
    ),
    Statement("Fig. 18", "SWEEP preserves more classification rules than CLD and 1DLD.", more_rules),
    Statement("Fig. 19", "SWEEP answers count queries best, for all requirements.", smaller_errors),
    Statement("Fig. 19", "The errors of all three rise as requirements get stronger.", errors_rise),
    Statement("Fig. 20", "SWEEP answers best for every number of dimensions above one.", better_beyond_one_dimension),
    Statement(
        "Fig. 20",
        "In one dimension SWEEP is worse than the others, which make no error, but not by much.",
        one_dimension_suffers,
    ),
    Statement(
        "Fig. 21",
        "Counts of single sensitive values hardly change under the weakest requirement.",
        counts_hardly_change,
    ),
    Statement(
        "Fig. 21",
        "Frequent sensitive values are generalized more as requirements get stronger.",
        generalization_of_frequent_values,
    ),
    Statement(
        "Fig. 22", "SWEEP takes a third of the time of 1DLD's search or less, and less time than CLD's search.", faster
    ),
    Statement("Fig. 22", "The time of SWEEP rises with the strength of the requirement.", time_rises),
    Statement("5.4", "CLD finds the same c and ℓ for several requirements.", same_setting_again),
)


def compare_sweep(results: Results, value: Value, larger: bool = True) -> Finding:
    """Compare SWEEP with both others."""
    return compare(results, SWEEP, (ONE_D, CLD), value, larger)


def compare(results: Results, first: str, others: Sequence[str], value: Value, larger: bool = True) -> Finding:
    """Compare a method with those others that have a release, requirement by requirement."""
    sign = 1 if larger else -1
    won, level, behind = 0, 0, []
    for setting, by_method in results.outcomes.items():
        mine = value(by_method[first])
        rivals = {m: rival for m in others if (rival := value(by_method[m])) is not None}
        if mine is None or not rivals:
            continue
        method, best = max(rivals.items(), key=lambda item: sign * item[1])
        if abs(mine - best) <= ROUNDING:
            level += 1
        elif sign * (mine - best) > 0:
            won += 1
        else:
            behind.append(f"{names([setting])} ({mine:.3g} against {best:.3g} of {method})")
    compared = won + level + len(behind)
    shown = f"ahead in {won} of {compared} requirements"
    shown += f", level in {level}" if level else ""
    shown += f", behind at {', '.join(behind)}" if behind else ""
    return Finding(won > 0 and not behind, shown)


def missing(results: Results, method: str) -> list[tuple[float, int]]:
    """The requirements for which a method has no release."""
    return [setting for setting, by_method in results.outcomes.items() if by_method[method].choice.release is None]


def names(settings: Iterable[tuple[float, int]]) -> str:
    """Requirements as the paper writes them."""
    return ", ".join(f"({tau:g}, {l})" for tau, l in settings)


def values(line: Iterable[float]) -> str:
    """Numbers in a row."""
    return ", ".join(f"{value:.2f}" for value in line)


def rank_correlation(first: Iterable[float], second: Iterable[float]) -> float:
    """Spearman's, with mean ranks for ties; 0 where one of them is constant."""
    x, y = mean_ranks(list(first)), mean_ranks(list(second))
    middle = (len(x) + 1) / 2
    covariance = sum((a - middle) * (b - middle) for a, b in zip(x, y, strict=True))
    spread = sum((a - middle) ** 2 for a in x) * sum((b - middle) ** 2 for b in y)
    return covariance / spread**0.5 if spread else 0.0


def mean_ranks(line: Sequence[float]) -> list[float]:
    """The rank of each, from 1."""
    return [(sum(other < value for other in line) + sum(other <= value for other in line) + 1) / 2 for value in line]
