"""Which classes of two releases may hold the same person: those whose published cells overlap in every column.

numbered              the distinct cells of every column in both releases, taken apart, with numbers
old_cells, new_cells  the classes, with the numbers of their cells
spans                 what each cell covers: intervals on axes. Numbers, days and times of day have axes of their own;
                      so have the leaves of a taxonomy. Text and NULL are single points. A star covers all axes
touching              per column, the pairs of cells that have a point in common
matched               pairs of classes
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from sqlanon.errors import UnsupportedType
from sqlanon.planner.taxonomy import refused_leaves, taxonomy_step
from sqlanon.planner.template import Once, Step, column, expression, query, text

from .releases import RELEASES, Places

AXES = {
    "number": "_sqlanon_number('exact', {end})",
    "days": "_sqlanon_days({end})",
    "clock": "_sqlanon_clock({end})",
}
"""How far along an axis the end of a range lies; NULL if it is not on that axis."""
POINTS = ("text", "null", "tree")


def region_steps(places: Places) -> dict[str, Step]:
    """The steps from classes to pairs of them."""
    return {
        "numbered": Once(numbered(places)),
        **{f"{release}_cells": Once(class_cells(release, places)) for release in RELEASES},
        "spans": Once(spans(places)),
        "touching": Once(touching(places)),
        "matched": matched(places.qi),
    }


def parts_of(key: str, places: Places, table: str) -> exp.Expr:
    """A cell taken apart. With a taxonomy, [a, b] is a label like any other."""
    cell = column(key, table)
    if key in places.trees:
        return expression("_sqlanon_cell_parts('category', CAST(NULL AS VARCHAR[]), :cell)", cell=cell)
    return expression("_sqlanon_cell_parts(:cell)", cell=cell)


def numbered(places: Places) -> exp.Select:
    """All cells, alike in text and typed releases."""
    each = [
        exp.select(f"{place} AS place", exp.alias_(parts_of(key, places, "classes"), "parts"))
        .from_(exp.alias_(exp.to_table(f"{release}_classes"), "classes", table=True))
        .where(refused_type(key, places))
        for release in RELEASES
        for key, place in places.qi.items()
    ]
    return query(
        "SELECT place, parts, row_number() OVER () AS cell FROM :cells",
        cells=exp.union(*each, distinct=True, copy=False).subquery("cells"),
    )


def refused_type(key: str, places: Places) -> exp.Expr:
    """TRUE; SA104 for a nested type that is neither a range nor a list."""
    before, _, after = str(UnsupportedType(places.columns[key], "\0")).rpartition("\0")
    return expression(
        """
        CASE
            WHEN _sqlanon_is_nested_type(typeof(:cell))
                THEN error(:before || regexp_extract(typeof(:cell), '^[A-Z]+') || :after) IS NULL
            ELSE TRUE
        END
        """,
        cell=column(key, "classes"),
        before=text(before),
        after=text(after),
    )


def class_cells(release: str, places: Places) -> exp.Select:
    """The classes of a release by the numbers of their cells."""
    select = exp.select("classes.class", "classes.size").from_(
        exp.alias_(exp.to_table(f"{release}_classes"), "classes", table=True)
    )
    for key, place in places.qi.items():
        alias = f"numbered_{place}"
        same = expression(
            f"{alias}.place = :place AND {alias}.parts = :parts",
            place=exp.convert(place),
            parts=parts_of(key, places, "classes"),
        )
        select = select.join(exp.alias_(exp.to_table("numbered"), alias, table=True), on=same)
        select = select.select(f"{alias}.cell AS cell_{place}")
    return select


def spans(places: Places) -> exp.Query:
    """What each cell covers. An empty list covers nothing."""
    plain = exp.and_(*(exp.NEQ(this=column("place"), expression=exp.convert(place)) for place in tree_places(places)))
    opened = query(
        """
        SELECT place, cell, part[1] AS low, part[-1] AS high, len(part) AS ends
        FROM (SELECT place, cell, unnest(parts) AS part FROM numbered) AS opened
        """
    )
    covered: list[exp.Query] = [stars(places, opened), measured_spans(opened, plain)]
    covered += [tree_spans(key, places, opened) for key in places.qi if key in places.trees]
    return exp.union(*covered, distinct=True, copy=False)


def tree_places(places: Places) -> list[int]:
    """The places of quasi-identifiers with a taxonomy, and one that no column has."""
    return [0, *(place for key, place in places.qi.items() if key in places.trees)]


def stars(places: Places, opened: exp.Select) -> exp.Select:
    """Cells that tell nothing cover everything: a star, and the root of a taxonomy."""
    roots: exp.Query = query("SELECT '*' AS label, 0 AS place")
    for key, place in places.qi.items():
        of_column = "SELECT path[-1] AS label, :place AS place FROM :taxonomy"
        if key in places.trees:
            root = query(of_column, place=exp.convert(place), taxonomy=taxonomy_step(key))
            roots = exp.union(roots, root, distinct=True, copy=False)
    axes = exp.array(*map(text, (*AXES, *POINTS)))
    return query(
        """
        SELECT
            opened.place, opened.cell, axes.axis, CAST('-inf' AS DOUBLE) AS low, CAST('inf' AS DOUBLE) AS high
        FROM :opened
        JOIN :roots ON roots.label = opened.low AND roots.place IN (0, opened.place)
        CROSS JOIN (SELECT unnest(:axes) AS axis) AS axes
        WHERE opened.ends = 1
        """,
        opened=opened.copy().subquery("opened"),
        roots=roots.subquery("roots"),
        axes=axes,
    )


def measured_spans(opened: exp.Select, plain: exp.Expr) -> exp.Select:
    """Ranges and values of columns without a taxonomy. A range of what has no axis is a text like any other."""
    ends = [f"{reader.format(end=end)} AS {end}_{axis}" for axis, reader in AXES.items() for end in ("low", "high")]
    placed = (
        exp.select("*", *(expression(each) for each in ends))
        .select(expression("CASE WHEN ends = 1 THEN low ELSE concat(low, ', ', high) END AS label"))
        .from_(opened.copy().subquery("opened"), copy=False)
        .where(
            exp.and_(
                plain, expression("NOT (ends = 1 AND coalesce(low = '*', FALSE)) AND NOT (ends = 2 AND low IS NULL)")
            )
        )
    )
    kind, low, high = exp.Case(), exp.Case(), exp.Case()
    kind = kind.when(expression("low IS NULL"), text("null"))
    for axis in AXES:
        on_axis = expression(f"NOT low_{axis} IS NULL AND NOT high_{axis} IS NULL")
        kind = kind.when(on_axis, text(axis))
        low, high = low.when(on_axis.copy(), column(f"low_{axis}")), high.when(on_axis.copy(), column(f"high_{axis}"))
    point = expression("CAST(dense_rank() OVER (PARTITION BY place ORDER BY label ASC NULLS LAST) AS DOUBLE)")
    return query(
        "SELECT place, cell, :axis AS axis, :low AS low, :high AS high FROM :placed",
        axis=kind.else_(text("text")),
        low=low.else_(point),
        high=high.else_(point.copy()),
        placed=placed.subquery("placed"),
    )


def tree_spans(key: str, places: Places, opened: exp.Select) -> exp.Select:
    """The leaves below the labels of a column with a taxonomy. SA105 for what is no label."""
    refused = refused_leaves(text(repr(places.columns[key])), expression("1"))
    return query(
        """
        SELECT
            opened.place, opened.cell, CASE WHEN opened.low IS NULL THEN 'null' ELSE 'tree' END AS axis,
            CAST(
                CASE WHEN opened.low IS NULL THEN 0 WHEN labels.low IS NULL THEN :refused ELSE labels.low END AS DOUBLE
            ) AS low,
            CAST(coalesce(labels.high, 0) AS DOUBLE) AS high
        FROM :opened
        LEFT JOIN subtrees AS labels ON labels.place = opened.place AND labels.label = opened.low AND opened.ends = 1
        WHERE opened.place = :place AND NOT coalesce(opened.low = '*', FALSE)
        """,
        opened=opened.copy().subquery("opened"),
        place=exp.convert(places.qi[key]),
        refused=refused,
    )


def touching(places: Places) -> exp.Select:
    """Pairs of an old and a new cell of one column that share a point."""
    return query(
        """
        SELECT DISTINCT old_spans.place, old_spans.cell AS old_cell, new_spans.cell AS new_cell
        FROM (SELECT spans.* FROM spans SEMI JOIN :used_old ON used_old.cell = spans.cell) AS old_spans
        JOIN (SELECT spans.* FROM spans SEMI JOIN :used_new ON used_new.cell = spans.cell) AS new_spans
            ON old_spans.place = new_spans.place AND old_spans.axis = new_spans.axis
            AND old_spans.low <= new_spans.high AND new_spans.low <= old_spans.high
        """,
        used_old=used_cells("old", places).subquery("used_old"),
        used_new=used_cells("new", places).subquery("used_new"),
    )


def used_cells(release: str, places: Places) -> exp.Select:
    """The cells of one release."""
    opened = exp.array(*(column(f"cell_{place}") for place in places.qi.values()))
    return query("SELECT DISTINCT unnest(:opened) AS cell FROM :cells", opened=opened, cells=f"{release}_cells")


def matched(qi: Mapping[str, int]) -> exp.Select:
    """Pairs of classes that overlap in the first column, then those of them that overlap in all others."""
    equal = exp.and_(*(expression(f"old_cells.cell_{place} = new_cells.cell_{place}") for place in qi.values()))
    pairs = (
        exp.select("old_cells.class AS old_class", "new_cells.class AS new_class", exp.alias_(equal, "equal"))
        .select("old_cells.size AS old_rows", "new_cells.size AS new_rows")
        .from_("old_cells")
        .join(
            query("SELECT * FROM touching WHERE place = 1").subquery("touching_1"),
            on="touching_1.old_cell = old_cells.cell_1",
        )
        .join("new_cells", on="new_cells.cell_1 = touching_1.new_cell")
    )
    for place in list(qi.values())[1:]:
        of_column = query("SELECT * FROM touching WHERE place = :place", place=exp.convert(place)).subquery("other")
        both = f"other.old_cell = old_cells.cell_{place} AND other.new_cell = new_cells.cell_{place}"
        pairs = pairs.join(of_column, on=both, join_type="semi")
    return pairs
