"""The statements of the paper on its experiments, each with a check against the numbers of this run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from benchmarks.paper import Finding, Statement

from .measures import ADDING, BAYES, DISTANCES, LIKELIHOOD, RANDOM, RATING, Distances, Requirement, distances
from .results import COMPARED_L, Report, TableResults

PAPER_ROWS = 2_458_285
SLACK = 1.05
"""A curve may fall by a twentieth and still be called rising: one release is one draw."""


def ahead_of(*rivals: str) -> Callable[[Report], Finding]:
    """Whether Bayes is closer to the truth than rivals by all distances, for every l and number of attributes."""

    def check(report: Report) -> Finding:
        holds, reasons = True, []
        for table in report.tables:
            points = [key for key in table.points if key[0].model == "l"]
            behind = {rival: [key for key in points if not closer(table, *key, rival)] for rival in rivals}
            holds &= not any(behind.values())
            reasons.append(f"{table.title}: " + "; ".join(ahead_words(r, b, len(points)) for r, b in behind.items()))
        return Finding(holds, ". ".join(reasons))

    return check


def closer(table: TableResults, requirement: Requirement, attributes: int, rival: str) -> bool:
    """Whether Bayes is closer by all three distances."""
    mine, other = table.mean(requirement, attributes, BAYES), table.mean(requirement, attributes, rival)
    return mine is not None and other is not None and all(a < b for a, b in zip(mine, other, strict=True))


def ahead_words(rival: str, behind: list[tuple[Requirement, int]], points: int) -> str:
    """How often Bayes is closer, and where it is not."""
    where: dict[int, list[str]] = {}
    for requirement, attributes in behind:
        where.setdefault(attributes, []).append(f"{requirement.value:g}")
    shown = ", ".join(f"q′ = {q}: l = {', '.join(some)}" for q, some in sorted(where.items()))
    return f"closer than {rival} at {points - len(behind)} of {points} points" + (f" (not {shown})" if shown else "")


def curves(report: Report, model: str, method: str) -> Iterator[tuple[str, list[Distances]]]:
    """The distances of a method over all l, or all t, by table and number of attributes."""
    for table in report.tables:
        for attributes in sorted({q for _, q in table.points}):
            line = [table.mean(each, attributes, method) for each in table.requirements(model)]
            known = [each for each in line if each is not None]
            if len(known) > 1:
                yield f"{table.title}, q′ = {attributes}", known


def rises_with_l(report: Report) -> Finding:
    return monotone(list(curves(report, "l", BAYES)), 1)


def falls_with_t(report: Report) -> Finding:
    return monotone(list(curves(report, "t", BAYES)), -1)


def monotone(lines: list[tuple[str, list[Distances]]], sign: int) -> Finding:
    """Whether the last point is above the first, and no step goes the other way by more than the slack."""
    broken = []
    for name, line in lines:
        for i, distance in enumerate(DISTANCES):
            values = [each[i] for each in line][::sign]
            if values[-1] <= values[0] or any(b * SLACK < a for a, b in pairwise(values)):
                broken.append(f"{name}, {distance}")
    total = len(lines) * len(DISTANCES)
    shown = f"{total - len(broken)} of {total} curves do"
    return Finding(not broken, shown + (f"; not {'; '.join(broken)}" if broken else ""))


def small_at_strict_t(report: Report) -> Finding:
    """Small: no more than half of ValueAdding's, by every distance."""
    holds, reasons = True, []
    for table in report.tables:
        strictest = table.requirements("t")[0]
        for q in sorted({q for each, q in table.points if each == strictest}):
            mine, other = table.mean(strictest, q, BAYES), table.mean(strictest, q, ADDING)
            assert mine is not None and other is not None
            holds &= all(a <= b / 2 for a, b in zip(mine, other, strict=True))
            reasons.append(f"{table.title}, q′ = {q}: {mine[0]:.2f} (ValueAdding {other[0]:.2f})")
    return Finding(holds, "L1 at t = 0.1: " + "; ".join(reasons))


def flat_methods_alike(report: Report) -> Finding:
    """Alike: L1 and L2 within a factor of two of those of Random, at every l."""
    holds, reasons = True, []
    for method in (ADDING, RATING):
        ratios = ratios_to(report, method, RANDOM)
        holds &= min(ratios) >= 0.5
        reasons.append(f"{method}: {min(ratios):.2f} … {max(ratios):.2f} times Random")
    return Finding(holds, "; ".join(reasons))


def ratios_to(report: Report, method: str, rival: str, only: Requirement | None = None) -> list[float]:
    """L1 and L2 of a method over those of another, at every l and number of attributes."""
    ratios = []
    for table in report.tables:
        for requirement, q in table.points:
            mine, other = table.mean(requirement, q, method), table.mean(requirement, q, rival)
            if mine and other and requirement.model == "l" and only in (None, requirement):
                ratios += [mine[0] / other[0], mine[1] / other[1]]
    return ratios


def half_of_random_at_small_l(report: Report) -> Finding:
    means = {m: float(np.mean(ratios_to(report, m, RANDOM, Requirement("l", 2)))) for m in (ADDING, RATING)}
    shown = "; ".join(f"{method}: on average {1 - ratio:.0%} below Random" for method, ratio in means.items())
    return Finding(all(0.35 <= ratio <= 0.65 for ratio in means.values()), f"{shown}, at l = 2")


def adding_and_rating_alike(report: Report) -> Finding:
    by_number = {}
    for q in sorted({q for table in report.tables for _, q in table.points}):
        ratios = [
            rating[0] / adding[0]
            for table in report.tables
            for requirement in table.requirements("l")
            if (rating := table.mean(requirement, q, RATING)) and (adding := table.mean(requirement, q, ADDING))
        ]
        by_number[q] = (min(ratios), max(ratios))
    shown = "; ".join(f"q′ = {q}: {low:.2f} … {high:.2f}" for q, (low, high) in by_number.items())
    return Finding(all(low >= 0.5 for low, _ in by_number.values()), f"L1 of Rating over that of ValueAdding: {shown}")


def faster_than_rating(report: Report) -> Finding:
    each = report.anonymization
    shown = "; ".join(f"l = {l}: {each.randomize[l]:.1f} s, Rating {each.rating[l]:.1f} s" for l in each.randomize)
    return Finding(all(each.randomize[l] < each.rating[l] for l in each.randomize), shown)


def tens_of_seconds(report: Report) -> Finding:
    each = report.anonymization
    scaled = max(each.randomize.values()) * PAPER_ROWS / each.rows
    shown = f"{max(each.randomize.values()):.1f} s for {each.rows:,} rows and {each.columns} columns"
    return Finding(scaled < 100, f"{shown}; {scaled:.0f} s for the paper's {PAPER_ROWS:,}, if time goes with rows")


def slower_reconstruction(report: Report) -> Finding:
    holds, reasons = True, []
    for q, seconds in reconstruction_seconds(report).items():
        holds &= seconds[BAYES] > seconds[ADDING] and seconds[BAYES] > seconds[RATING]
        reasons.append(f"q′ = {q}: " + ", ".join(f"{method} {s:.2f} s" for method, s in seconds.items()))
    return Finding(holds, f"Census, l = {COMPARED_L}: " + "; ".join(reasons))


def reconstruction_seconds(report: Report) -> dict[int, dict[str, float]]:
    """By number of attributes and method, on the census."""
    table = report.tables[-1]
    shown = Requirement("l", COMPARED_L)
    return {
        q: {m: s for m in (LIKELIHOOD, BAYES, ADDING, RATING) if (s := table.seconds(shown, q, m)) is not None}
        for q in sorted({q for each, q in table.points if each == shown})
    }


def under_ten_minutes(report: Report) -> Finding:
    longest = max(
        (each.seconds, q, str(requirement), table.title)
        for table in report.tables
        for (requirement, q), some in table.points.items()
        for each in some
        if each.method == BAYES
    )
    seconds, q, requirement, title = longest
    return Finding(seconds < 600, f"the longest took {seconds:.0f} s ({title}, q′ = {q}, {requirement})")


def same_sum(report: Report) -> Finding:
    sums = {name: float(counts.sum()) for name, counts in report.picture.counts.items()}
    spread = max(sums.values()) - min(sums.values())
    return Finding(spread < 0.5, "; ".join(f"{name} {total:,.0f}" for name, total in sums.items()))


def flattening(report: Report) -> Finding:
    """Above average becomes smaller, below average larger: counted over cells, and as the slope."""
    counts = report.picture.counts
    truth = counts["original"].ravel()
    above = truth > truth.mean()
    holds, reasons = True, []
    for method in (ADDING, RATING):
        estimate = counts[method].ravel()
        moved = float(np.mean(np.where(above, estimate < truth, estimate > truth)))
        slope = float(np.polyfit(truth, estimate, 1)[0])
        holds &= moved > 0.9 and slope < 0.5
        reasons.append(
            f"{method}: {moved:.0%} of the cells move towards the average; one person more counts {slope:.2f}"
        )
    return Finding(holds, "; ".join(reasons))


def almost_perfect(report: Report) -> Finding:
    """Almost perfect: a tenth of the people misplaced, or fewer."""
    counts = report.picture.counts
    misplaced = {name: distances(counts["original"].ravel(), c.ravel())[0] / 2 for name, c in counts.items()}
    shown = "; ".join(f"{name} {share:.0%}" for name, share in misplaced.items() if name != "original")
    truth, wrong = counts["original"], np.abs(counts[BAYES] - counts["original"])
    large = truth > truth.mean()
    off = [wrong[some].sum() / truth[some].sum() for some in (large, ~large)]
    shown += f"; with Bayes, counts above the average are off by {off[0]:.0%}, others by {off[1]:.0%}"
    return Finding(misplaced[BAYES] <= 0.1, f"people misplaced: {shown}")


def expected_l2(report: Report) -> Finding:
    ratios = [each.measured / each.expected for table in report.tables for each in table.expectations]
    mean = float(np.sqrt(np.mean(np.square(ratios))))
    shown = f"{len(ratios)} attributes alone: measured over expected {mean:.2f} (root mean square)"
    return Finding(0.8 <= mean <= 1.25, shown)


def falls_with_rows(report: Report) -> Finding:
    """Equation 9 has the square root of N: a slope of −1/2 on logarithmic axes."""
    line = [each[1] for each in report.growth.mean(1, BAYES)]
    slope = float(np.polyfit(np.log(report.growth.rows), np.log(line), 1)[0])
    flat = [each[1] for each in report.growth.mean(1, ADDING)]
    shown = f"L2 of one attribute goes with N to the power {slope:.2f}; ValueAdding: {flat[0]:.3f} → {flat[-1]:.3f}"
    return Finding(-0.65 < slope < -0.35, shown)


STATEMENTS: tuple[Statement[Report], ...] = (
    Statement("Fig. 1, 2", "The method reduces all three distances more than ValueAdding.", ahead_of(ADDING)),
    Statement("Fig. 1, 2", "It reduces them more than Rating.", ahead_of(RATING)),
    Statement("Fig. 1, 2", "Its distances rise with l.", rises_with_l),
    Statement("Fig. 3, 4", "Its distances fall as t rises.", falls_with_t),
    Statement("Fig. 3, 4", "They are small even at t = 0.1.", small_at_strict_t),
    Statement("VI", "L1 and L2 of ValueAdding, Rating and Random are similar.", flat_methods_alike),
    Statement("VI", "ValueAdding and Rating are about 50 % below Random if l is small.", half_of_random_at_small_l),
    Statement("VI", "ValueAdding and Rating have similar results.", adding_and_rating_alike),
    Statement("Fig. 5", "Randomizing takes less time than Rating.", faster_than_rating),
    Statement("Fig. 5", "It takes several tens of seconds for two million rows and 68 columns.", tens_of_seconds),
    Statement("Fig. 6", "Reconstruction takes longer than with ValueAdding and Rating.", slower_reconstruction),
    Statement("Fig. 6", "It takes less than 10 minutes, with four attributes too.", under_ten_minutes),
    Statement("Fig. 7", "The sum of what is reconstructed is the same with all methods.", same_sum),
    Statement("Fig. 7", "ValueAdding and Rating make large counts much smaller, and small ones larger.", flattening),
    Statement("Fig. 7", "The method reconstructs age and occupation almost perfectly.", almost_perfect),
    Statement("Eq. 9", "The L2 distance of one attribute is as expected.", expected_l2),
    Statement("Eq. 9", "It falls with the square root of the number of rows.", falls_with_rows),
)
