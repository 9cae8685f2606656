"""Which classes of two releases may hold the same person: those whose published cells overlap in every column.

leaves, subtrees      the taxonomies of quasi-identifiers: see taxonomies/taxonomy
numbered              the distinct cells of every column in both releases, taken apart, with numbers
old_cells, new_cells  the classes, with the numbers of their cells
spans                 what each cell covers: intervals on axes. Numbers, days and times of day have axes of their own;
                      so have the leaves of a taxonomy. Text and NULL are single points. A star covers all axes
points                the ends of all spans of a column in one order, axis after axis, with their ranks
narrowing             one row: which overlapping classes leave too few values, and how many (udfs/narrowing.py)
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.cells.parts import AXES, open_parts, positions, refuse_nested_type
from sqlanon.statement.template import Once, Step, column, expression, query, text
from sqlanon.taxonomies.taxonomy import leaves, refused_leaves, subtrees, taxonomy_step

from .releases import RELEASES, ComparedColumns
from .request import Comparison

POINTS = ("text", "null", "tree")
"""Axes of single points and of leaves, beside those that texts have positions on."""


def region_steps(compared: ComparedColumns) -> dict[str, Step]:
    """The steps from classes to pairs of them."""
    trees: dict[str, Step] = {}
    if compared.qi_trees:
        trees = {"leaves": Once(leaves(compared.qi_trees)), "subtrees": Once(subtrees())}
    return {
        **trees,
        "numbered": Once(number_cells(compared)),
        **{f"{release}_cells": Once(class_cells(release, compared)) for release in RELEASES},
        "spans": Once(spans(compared)),
        "points": Once(points()),
        "narrowing": Once(narrowing(compared.request)),
    }


def parts_of(key: str, compared: ComparedColumns, table: str) -> exp.Expr:
    """A cell taken apart. With a taxonomy, [a, b] is a label like any other."""
    cell = column(key, table)
    if key in compared.trees:
        return expression("_sqlanon_cell_parts('category', CAST(NULL AS VARCHAR[]), :cell)", cell=cell)
    return expression("_sqlanon_cell_parts(:cell)", cell=cell)


def number_cells(compared: ComparedColumns) -> exp.Select:
    """All cells, alike in text and typed releases."""
    each = [
        exp.select(f"{column_number} AS column_number", exp.alias_(parts_of(key, compared, "classes"), "parts"))
        .from_(exp.alias_(exp.to_table(f"{release}_classes"), "classes", table=True))
        .where(refuse_nested_type(column(key, "classes"), compared.columns[key]))
        for release in RELEASES
        for key, column_number in compared.qi.items()
    ]
    return query(
        "SELECT column_number, parts, row_number() OVER () - 1 AS cell FROM :cells",
        cells=exp.union(*each, distinct=True, copy=False).subquery("cells"),
    )


def class_cells(release: str, compared: ComparedColumns) -> exp.Select:
    """The classes of a release by the numbers of their cells."""
    select = exp.select("classes.class", "classes.size").from_(
        exp.alias_(exp.to_table(f"{release}_classes"), "classes", table=True)
    )
    for key, column_number in compared.qi.items():
        alias = f"numbered_{column_number}"
        same = expression(
            f"{alias}.column_number = :column_number AND {alias}.parts = :parts",
            column_number=exp.convert(column_number),
            parts=parts_of(key, compared, "classes"),
        )
        select = select.join(exp.alias_(exp.to_table("numbered"), alias, table=True), on=same)
    return select.select(
        exp.alias_(
            exp.array(*(column("cell", f"numbered_{column_number}") for column_number in compared.qi.values())), "cells"
        )
    )


def spans(compared: ComparedColumns) -> exp.Query:
    """The intervals that each cell covers. An empty list covers nothing."""
    plain = exp.and_(
        *(
            exp.NEQ(this=column("column_number"), expression=exp.convert(column_number))
            for column_number in tree_numbers(compared)
        )
    )
    opened = open_parts("numbered")
    covered: list[exp.Query] = [stars(compared, opened), measured_spans(opened, plain)]
    covered += [tree_spans(key, compared, opened) for key in compared.qi_trees]
    return exp.union(*covered, distinct=True, copy=False)


def tree_numbers(compared: ComparedColumns) -> list[int]:
    """The numbers of quasi-identifiers with a taxonomy, and one that no column has."""
    return [0, *compared.qi_trees.values()]


def stars(compared: ComparedColumns, opened: exp.Select) -> exp.Select:
    """Cells that tell nothing cover everything, NaN, too, which is above infinity: a star, and a taxonomy's root."""
    roots: exp.Query = query("SELECT '*' AS label, 0 AS column_number")
    for key, column_number in compared.qi_trees.items():
        root = query(
            "SELECT path[-1] AS label, :column_number AS column_number FROM :taxonomy",
            column_number=exp.convert(column_number),
            taxonomy=taxonomy_step(key),
        )
        roots = exp.union(roots, root, distinct=True, copy=False)
    axes = exp.array(*map(text, (*AXES, *POINTS)))
    return query(
        """
        SELECT
            opened.column_number, opened.cell, axes.axis, CAST('-inf' AS DOUBLE) AS low, CAST('nan' AS DOUBLE) AS high
        FROM :opened
        JOIN :roots ON roots.label = opened.low_text AND roots.column_number IN (0, opened.column_number)
        CROSS JOIN (SELECT unnest(:axes) AS axis) AS axes
        WHERE labelled
        """,
        opened=opened.copy().subquery("opened"),
        roots=roots.subquery("roots"),
        axes=axes,
    )


def measured_spans(opened: exp.Select, plain: exp.Expr) -> exp.Select:
    """Ranges and values of columns without a taxonomy. A range of what has no axis is a text like any other."""
    label = expression("CASE WHEN labelled THEN low_text ELSE concat(low_text, ', ', high_text) END AS label")
    measured = (
        exp.select("*", *positions(AXES), label)
        .from_(opened.copy().subquery("opened"), copy=False)
        .where(exp.and_(plain, expression("NOT is_star AND (labelled OR NOT low_text IS NULL)")))
    )
    kind, low, high = exp.Case(), exp.Case(), exp.Case()
    kind = kind.when(expression("low_text IS NULL"), text("null"))
    for axis in AXES:
        on_axis = expression(f"NOT low_{axis} IS NULL AND NOT high_{axis} IS NULL")
        kind = kind.when(on_axis, text(axis))
        low, high = low.when(on_axis.copy(), column(f"low_{axis}")), high.when(on_axis.copy(), column(f"high_{axis}"))
    point = expression("CAST(dense_rank() OVER (PARTITION BY column_number ORDER BY label ASC NULLS LAST) AS DOUBLE)")
    return query(
        "SELECT column_number, cell, :axis AS axis, :low AS low, :high AS high FROM :measured",
        axis=kind.else_(text("text")),
        low=low.else_(point),
        high=high.else_(point.copy()),
        measured=measured.subquery("measured"),
    )


def tree_spans(key: str, compared: ComparedColumns, opened: exp.Select) -> exp.Select:
    """The leaves below the labels of a column with a taxonomy. SA105 for what is no label."""
    refused = refused_leaves(text(repr(compared.columns[key])), expression("1"))
    return query(
        """
        SELECT
            opened.column_number, opened.cell, CASE WHEN low_text IS NULL THEN 'null' ELSE 'tree' END AS axis,
            CAST(
                CASE WHEN low_text IS NULL THEN 0 WHEN labels.low IS NULL THEN :refused ELSE labels.low END AS DOUBLE
            ) AS low,
            CAST(coalesce(labels.high, 0) AS DOUBLE) AS high
        FROM :opened
        LEFT JOIN subtrees AS labels
            ON labels.column_number = opened.column_number AND labels.label = low_text AND labelled
        WHERE opened.column_number = :column_number AND NOT is_star
        """,
        opened=opened.copy().subquery("opened"),
        column_number=exp.convert(compared.qi[key]),
        refused=refused,
    )


def points() -> exp.Select:
    """The ends of spans, in order; between two of them that follow each other nothing matters."""
    return query(
        """
        SELECT
            column_number, axis, point,
            dense_rank() OVER (PARTITION BY column_number ORDER BY axis ASC, point ASC) AS rank
        FROM (
            SELECT column_number, axis, low AS point FROM spans
            UNION
            SELECT column_number, axis, high FROM spans
        ) AS ends
        """
    )


def narrowing(request: Comparison) -> exp.Select:
    """Classes of both releases, with what they publish and what they leave possible, through one function."""
    return query(
        """
        SELECT
            _sqlanon_narrowing(
                (SELECT list({'size': size, 'cells': cells, 'codes': codes} ORDER BY class ASC) FROM :old),
                (SELECT list({'size': size, 'cells': cells, 'codes': codes} ORDER BY class ASC) FROM :new),
                (SELECT list({'cell': cell, 'low': low, 'high': high}) FROM :ranked),
                (SELECT CAST(l AS BIGINT) FROM threshold),
                :listed
            ) AS found
        """,
        old=class_candidates("old").subquery("old_compared"),
        new=class_candidates("new").subquery("new_compared"),
        ranked=ranked_spans().subquery("ranked"),
        listed=exp.convert(request.detail == "pairs"),
    )


def class_candidates(release: str) -> exp.Select:
    """The classes of a release: the numbers of their cells, and of the values that they leave possible."""
    return query(
        """
        SELECT cells.class, cells.size, cells.cells, candidates.codes
        FROM :cells AS cells JOIN :candidates AS candidates ON candidates.class = cells.class
        """,
        cells=f"{release}_cells",
        candidates=f"{release}_candidates",
    )


def ranked_spans() -> exp.Select:
    """Spans by the ranks of their ends."""
    return query(
        """
        SELECT spans.cell, lows.rank AS low, highs.rank AS high
        FROM spans
        JOIN points AS lows
            ON lows.column_number = spans.column_number AND lows.axis = spans.axis AND lows.point = spans.low
        JOIN points AS highs
            ON highs.column_number = spans.column_number AND highs.axis = spans.axis AND highs.point = spans.high
        """
    )
