"""The question that a query puts to the classes of a release, as the JSON that udfs/estimation/question.py reads."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from sqlanon.queries.query import Query

from .columns import QueryColumn
from .decision import Node, Path, Tree
from .regions import End, Regions, first_step, has_whole, last_step

Sets = list[frozenset[int]]


def write_question(asked: Query, used: Sequence[QueryColumn], paths: Sequence[Path], trees: Sequence[bool]) -> str:
    """Sets of regions are numbered, column by column; `trees` says which columns have a taxonomy."""
    sets: list[Sets] = [[] for _ in used]

    def number(column: int, chosen: frozenset[int]) -> int:
        if chosen not in sets[column]:
            sets[column].append(chosen)
        return sets[column].index(chosen)

    def written(tree: Tree) -> Any:
        if not isinstance(tree, Node):
            return tree
        return [tree.column, [[number(tree.column, branch.chosen), written(branch.then)] for branch in tree.branches]]

    ways = [[{column: number(column, chosen) for column, chosen in path.chosen}, written(path.rest)] for path in paths]
    for each, chosen in zip(used, sets, strict=True):
        each.refuse_runs(chosen)
    question = {
        "aggregate": asked.aggregate,
        "measured": asked.measured,
        "groups": [group.column for group in asked.groups],
        "columns": [
            {
                "name": each.name,
                "axis": each.regions.axis,
                "constants": [*constants(each.regions)],
                "ordered": each.regions.ordered,
                "unclear": each.unclear,
                "tree": tree,
                "grouped": each.grouped,
                "choices": [choice(each.regions, one) for one in chosen],
            }
            for each, chosen, tree in zip(used, sets, trees, strict=True)
        ],
        "paths": ways or [[{}, False]],
    }
    return json.dumps(question, ensure_ascii=False)


def constants(regions: Regions) -> Iterator[tuple[float, str, list[str]]]:
    """The constants of a column, in their order: where they lie (text does nowhere), their text, and their forms."""
    for point, text, forms in zip(regions.points, regions.texts, regions.types, strict=True):
        yield float(point) if isinstance(point, Decimal) else 0.0, text, sorted(forms)


def choice(regions: Regions, chosen: frozenset[int]) -> dict[str, Any]:
    """A set of regions as runs of numbers, and as texts."""
    return {
        "null": regions.null in chosen,
        "whole": has_whole(regions, chosen),
        "runs": [] if regions.axis == "text" else [[*low(run[0]), *high(run[1])] for run in regions.runs(chosen)],
        **({} if regions.axis in ("number", "time") else texts(regions, chosen)),
    }


def low(end: End) -> tuple[float | None, int | None, bool]:
    if not isinstance(end.place, Decimal):
        return None, None, end.closed
    return float(end.place), first_step(end, end.place), end.closed


def high(end: End) -> tuple[float | None, int | None, bool]:
    if not isinstance(end.place, Decimal):
        return None, None, end.closed
    return float(end.place), last_step(end, end.place), end.closed


def texts(regions: Regions, chosen: frozenset[int]) -> dict[str, Any]:
    """The texts of a set, or those that it lacks; runs of them where order plays a part."""
    inside = [text for i, text in enumerate(regions.texts) if 2 * i + 1 in chosen]
    if not regions.gaps & chosen:
        return {"among": inside}
    if regions.gaps <= chosen:
        return {"but": [text for text in regions.texts if text not in inside]}
    text_at = dict(zip(regions.points, regions.texts, strict=True))
    return {
        "between": [
            [start.place and text_at[start.place], start.closed, end.place and text_at[end.place], end.closed]
            for start, end in regions.runs(chosen)
        ]
    }
