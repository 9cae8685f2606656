"""How a query uses its columns: how their values are cut, and the ways through those of GROUP BY."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlanon.refusals import MOST_RUNS, Named, too_many_runs

from .query import Asked
from .sets import Node, Regions, Tree, cut, decide, demanded

WORDS = {"true", "false", "t", "f", "yes", "no", "y", "n", "on", "off", "inf", "infinity", "nan", "epoch"}
"""What is read as a BOOLEAN, a number or a date, without a digit."""


@dataclass(frozen=True)
class Used(Named):
    """A column of the release that a query uses: our name of it, the analyst's, and how its values are cut."""

    own: str
    regions: Regions
    grouped: bool
    """Whether it is in GROUP BY."""

    @property
    def unclear(self) -> bool:
        """Whether it is compared with a value that a list of text would not show as one."""
        return self.regions.axis == "text" and any(", " in text or text == "NULL" for text in self.regions.texts)

    def refuse_runs(self, sets: Sequence[frozenset[int]]) -> None:
        """Refuse a condition that falls into too many pieces of a number axis."""
        if self.regions.axis != "text" and any(len(self.regions.runs(chosen)) > MOST_RUNS for chosen in sets):
            raise too_many_runs(self)


@dataclass(frozen=True)
class Path:
    """One way through the columns of GROUP BY: the sets that their values lie in, and what is left to decide."""

    chosen: tuple[tuple[int, frozenset[int]], ...]
    rest: Tree


def uses(asked: Asked) -> list[Used]:
    """The columns of a query, in their order."""
    return [
        Used(
            name=name,
            own=f"c_{i + 1}",
            regions=cut(i, asked.condition, name, i == asked.measured),
            grouped=any(group.column == i for group in asked.groups),
        )
        for i, name in enumerate(asked.names)
    ]


def decision(asked: Asked, used: Sequence[Used]) -> tuple[Tree, list[Path]]:
    """The tree that decides a query's condition, and the paths of it that can hold."""
    tree = decide(asked.condition, asked.order, [each.regions for each in used])
    paths = group_paths(tree, {group.column for group in asked.groups})
    return tree, [path for path in paths if path.rest is not False]


def group_paths(tree: Tree, groups: set[int]) -> Iterator[Path]:
    """The ways through the columns of GROUP BY, which are decided first."""
    if not isinstance(tree, Node) or tree.column not in groups:
        yield Path((), tree)
        return
    for branch in tree.branches:
        for path in group_paths(branch.then, groups):
            yield Path(((tree.column, branch.chosen), *path.chosen), path.rest)


def may_be_no_text(text: str) -> bool:
    """Whether a type other than text may read it. Then all that a column shows has to be seen, to tell its type."""
    return text.strip("+-").lower() in WORDS or any(letter.isdigit() for letter in text)


def seen_at_a_glance(used: Sequence[Used], tree: Tree, known: Sequence[bool]) -> dict[str, list[str]]:
    """The columns whose cells, if they are single values of text, must be one of these texts for a row to count.

    Of one column alone, taking its few cells apart is all there is to do. `known` are columns with a taxonomy, whose
    labels stand for others.
    """
    if len(used) < 2:
        return {}
    found = {}
    for i, each in enumerate(used):
        regions = each.regions
        allowed = demanded(tree, i, regions.everything)
        plain = regions.axis == "text" and not known[i] and not any(map(may_be_no_text, regions.texts))
        if plain and allowed and not allowed & {*regions.gaps, regions.null}:
            found[each.own] = [text for at, text in enumerate(regions.texts) if 2 * at + 1 in allowed]
    return found
