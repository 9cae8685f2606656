"""The columns that a query uses: how their values are cut, and which cells fail without a closer look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlanon.arguments import fold
from sqlanon.queries.query import Query

from .decision import Path, Tree, decide, demanded_regions, group_paths
from .refusals import MOST_RUNS, Named, too_many_runs
from .regions import Regions, cut
from .request import Estimation

WORDS = {"true", "false", "t", "f", "yes", "no", "y", "n", "on", "off", "inf", "infinity", "nan", "epoch"}
"""Texts without a digit that are read as a BOOLEAN, a number or a date."""


@dataclass(frozen=True)
class QueryColumn(Named):
    """A column of the release that a query uses: the name of it in our steps, the analyst's, and how it is cut."""

    alias: str
    regions: Regions
    grouped: bool
    """Whether it is in GROUP BY."""
    taxonomy: bool
    """Whether its labels stand for the leaves of a taxonomy."""
    label_free: bool = False
    """Whether it is known to show no labels."""
    complete: bool = True
    """Whether the release has every row of its source."""

    @property
    def may_have_labels(self) -> bool:
        """Whether text that is compared or grouped by may be labels of a taxonomy that was not given."""
        is_text = self.regions.axis in ("text", "iso") or (self.grouped and self.regions.axis == "open")
        return is_text and not self.taxonomy and not self.label_free

    @property
    def sought_texts(self) -> list[str]:
        """The texts that it is compared with by =, <> or IN, if what the release shows instead may be labels."""
        if not self.may_have_labels:
            return []
        return [text for at, text in enumerate(self.regions.texts) if 2 * at + 1 in self.regions.sought]

    @property
    def unclear(self) -> bool:
        """Whether it is compared with a value that a list of text would not show as one."""
        compared_with_text = self.regions.axis == "text" and not self.taxonomy
        return compared_with_text and any(", " in text or text == "NULL" for text in self.regions.texts)

    def refuse_runs(self, sets: Sequence[frozenset[int]]) -> None:
        """Refuse a condition that falls into too many pieces of a number axis."""
        if self.regions.axis != "text" and any(len(self.regions.runs(chosen)) > MOST_RUNS for chosen in sets):
            raise too_many_runs(self)


def query_columns(query: Query, request: Estimation) -> list[QueryColumn]:
    """The columns of a query, in their order."""
    taxonomies = dict(request.taxonomy)
    return [
        QueryColumn(
            name=name,
            alias=f"c_{i + 1}",
            regions=cut(i, query.condition, name, i == query.measured),
            grouped=any(group.column == i for group in query.groups),
            taxonomy=fold(name) in taxonomies,
            label_free=fold(name) in request.label_free,
            complete=request.suppressed == 0,
        )
        for i, name in enumerate(query.names)
    ]


def decision(query: Query, columns: Sequence[QueryColumn]) -> tuple[Tree, list[Path]]:
    """The tree that decides a query's condition, and the paths of it that can hold."""
    tree = decide(query.condition, query.order, [each.regions for each in columns])
    paths = group_paths(tree, {group.column for group in query.groups})
    return tree, [path for path in paths if path.rest is not False]


def may_be_no_text(text: str) -> bool:
    """Whether a type other than text may read it. Then all that a column shows has to be seen, to tell its type."""
    return text.strip("+-").lower() in WORDS or any(letter.isdigit() for letter in text)


def required_texts(columns: Sequence[QueryColumn], tree: Tree) -> dict[str, list[str]]:
    """The columns whose cells, if they are single values of text, must be one of these texts for a row to count.

    Of one column alone, taking its few cells apart is all there is to do.
    """
    if len(columns) < 2:
        return {}
    required = {}
    for i, each in enumerate(columns):
        regions = each.regions
        allowed = demanded_regions(tree, i, regions.everything)
        plain = regions.axis == "text" and not each.taxonomy and not any(map(may_be_no_text, regions.texts))
        if plain and allowed and not allowed & {*regions.gaps, regions.null}:
            required[each.alias] = [text for at, text in enumerate(regions.texts) if 2 * at + 1 in allowed]
    return required
