"""The values that columns can have, each with its code.

Steps hold all columns at once, and `place` says whose a row is: to plan steps for every column takes DuckDB longer than
to run them. Only what a column's own type or taxonomy decides has steps of its own.

kinds        one row, two lists: the types of the columns, and what these allow
values_*     the distinct values of a column of the source; `rank` is their order, NULL last
gaps         per taxonomy, whether the source has a value that it need not have (NULL), or should have and has not
leaves       the domains of columns with a taxonomy: its leaves, subtrees together, NULL last
subtrees     every label of the taxonomies, and the leaves below it, codes low … high
occurring    the domains of columns without a taxonomy: the values of the source
domains      the domains of all columns: one row per value that they can have, in order, NULL last
sizes        per column, how many values it can have, and the ends of their range
domain_*     one of the domains
size_*       one row: how many values that are
nodes_*      the labels of one taxonomy
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce

from sqlglot import exp

from sqlanon.errors import TaxonomyError, UnsupportedType

from .template import Columns, Once, Step, column, expression, query, taxonomy_step, text

OUTLINE = "<column>"
"""Where the name of a column goes in the text of an error that any of them may raise."""

TYPE_OUTLINE = "<type>"
"""Where the name of a type goes: only the running statement knows it."""

Places = Mapping[str, int]
"""The columns, numbered from 1."""


def value_steps(columns: Columns, places: Places) -> dict[str, Step]:
    """The steps from the source to the distinct values of its columns, and to the labels of taxonomies."""
    trees = with_taxonomy(columns, places)
    steps: dict[str, Step] = {"kinds": Once(kinds(columns, places))}
    steps |= {f"values_{own}": Once(values(own)) for own in places}
    if trees:
        steps["gaps"] = Once(union(gap(own, place) for own, place in trees.items()))
        steps["leaves"] = Once(leaves(trees))
        steps["subtrees"] = Once(subtrees(columns, places))
    for own, place in trees.items():
        here = {"place": number(place)}
        steps[f"domain_{own}"] = Once(query("SELECT label, code FROM leaves WHERE place = :place", **here))
        steps[f"nodes_{own}"] = query("SELECT label, level, low, high FROM subtrees WHERE place = :place", **here)
    return steps


def domain_steps(columns: Columns, places: Places) -> dict[str, Step]:
    """The steps from the distinct values, and what the release lists of them, to the domains."""
    trees = with_taxonomy(columns, places)
    others = {own: place for own, place in places.items() if own not in trees}
    domains, sizes = [], []
    steps: dict[str, Step] = {}
    if trees:
        domains.append(query("SELECT code AS rank, label, place, CAST(NULL AS DOUBLE) AS measure, code FROM leaves"))
        sizes.append(leaf_counts(columns, places))
    if others:
        steps["occurring"] = Once(occurring(others))
        domains.append(query("SELECT * FROM occurring"))
        sizes.append(extents(columns, places, others))
    steps |= {"domains": Once(union(domains)), "sizes": Once(union(sizes))}
    for own, place in others.items():
        steps[f"domain_{own}"] = Once(domain(own, place))
    for own, place in places.items():
        steps[f"size_{own}"] = query("SELECT domain_size FROM sizes WHERE place = :place", place=number(place))
    return steps


def with_taxonomy(columns: Columns, places: Places) -> Places:
    """Those of the columns that have a taxonomy."""
    return {own: place for own, place in places.items() if own in columns.taxonomy}


def kinds(columns: Columns, places: Places) -> exp.Select:
    """One row: the names of the columns' types, and their kinds. A taxonomy has texts."""
    type_names = (
        expression(
            "typeof(any_value(:given))",
            given=exp.cast(column(own), "VARCHAR") if own in columns.taxonomy else column(own),
        )
        for own in places
    )
    return query(
        """
        SELECT type_names, list_transform(type_names, lambda type_name: _sqlanon_kind(type_name)) AS kinds
        FROM (SELECT :type_names AS type_names FROM source) AS typed
        """,
        type_names=exp.array(*type_names),
    )


def values(own: str) -> exp.Select:
    """The distinct values of the source."""
    return query(
        """
        SELECT row_number() OVER (ORDER BY :column ASC) AS rank, :column AS value, CAST(:column AS VARCHAR) AS label
        FROM source
        GROUP BY :column
        """,
        column=column(own),
    )


def occurring(places: Places) -> exp.Select:
    """The values of the source; `measure` is where they lie on their axis, NULL for categories.

    What a list covers has to be neighbours. So categories that no list names, as those of rows left out, come after the
    others. Lists of one value need no neighbours. A value `*` is last but NULL, because a publisher may have taken it
    for one.
    """
    return query(
        """
        SELECT rank, label, place, measure, row_number() OVER (
            PARTITION BY place
            ORDER BY label IS NULL ASC, label = '*' ASC, measure IS NULL AND unlisted ASC, rank ASC
        ) - 1 AS code
        FROM (
            SELECT
                given.*,
                _sqlanon_measure(type_names[given.place], kinds[given.place], label) AS measure,
                named.rank IS NULL AS unlisted
            FROM :given AS given
            CROSS JOIN kinds
            LEFT JOIN (SELECT DISTINCT place, rank FROM listing WHERE len(items) > 1) AS named
                ON named.place = given.place AND named.rank = given.rank
        ) AS marked
        """,
        given=union(
            query("SELECT rank, label, :place AS place FROM :occur", place=number(place), occur=f"values_{own}")
            for own, place in places.items()
        ).subquery(),
    )


def extents(columns: Columns, places: Places, others: Places) -> exp.Select:
    """How many values there are, how many are known (not NULL, not `*`), and the ends of the finite ones.

    A list of `whole` values is everything: those known, and one that stands for all that are not. SA104 for a type that
    is neither measured nor a category.
    """
    before, after = str(UnsupportedType(OUTLINE, TYPE_OUTLINE)).split(TYPE_OUTLINE)
    return query(
        """
        SELECT
            domain_size, known, place, type_name, kind,
            known + CAST(known < domain_size AS INTEGER) AS whole,
            least, greatest
        FROM (
            SELECT counted.*, type_names[place] AS type_name, kinds[place] AS kind
            FROM (
                SELECT
                    asked.place, count(code) AS domain_size, count(label) FILTER (WHERE label <> '*') AS known,
                    arg_min({'label': label, 'measure': measure}, code) FILTER (WHERE isfinite(measure)) AS least,
                    arg_max({'label': label, 'measure': measure}, code) FILTER (WHERE isfinite(measure)) AS greatest
                FROM (SELECT unnest(:places) AS place) AS asked
                LEFT JOIN occurring ON occurring.place = asked.place
                GROUP BY asked.place
            ) AS counted
            CROSS JOIN kinds
        ) AS typed
        WHERE CASE
            WHEN kind = 'refused' THEN error(:before || regexp_replace(type_name, '\\(.*\\)', '', 's') || :after)
            ELSE TRUE
        END
        """,
        places=exp.array(*map(number, others.values())),
        before=naming(before, columns, places),
        after=text(after),
    )


def naming(message: str, columns: Columns, places: Places) -> exp.Expr:
    """A message in which the column at `place` is named where OUTLINE stands."""
    before, after = message.split(repr(OUTLINE))
    names = exp.array(*(text(repr(columns.names[own])) for own in places))
    return expression("(:before || :names[place] || :after)", before=text(before), names=names, after=text(after))


def domain(own: str, place: int) -> exp.Select:
    """The domain of a column without a taxonomy, with its values as they are in the source."""
    return query(
        """
        SELECT given.value, given.label, occurring.measure, occurring.code
        FROM :occur AS given
        JOIN occurring ON occurring.place = :place AND occurring.rank = given.rank
        """,
        occur=f"values_{own}",
        place=number(place),
    )


def union(queries: Iterable[exp.Query]) -> exp.Query:
    """The rows of all of them."""
    return reduce(lambda one, other: exp.union(one, other, distinct=False, copy=False), queries)


def number(place: int) -> exp.Expr:
    """A number literal."""
    return exp.Literal.number(place)


def gap(own: str, place: int) -> exp.Select:
    """One row: whether the source has NULL, or a `*` that is no leaf; and whether it has anything else that is none.

    Texts are compared here, where they are compared as the column compares them.
    """
    return query(
        """
        SELECT
            coalesce(bool_or(label IS NULL OR (label = '*' AND path IS NULL)), FALSE) AS gap,
            coalesce(bool_or(label <> '*' AND path IS NULL), FALSE) AS uncovered,
            :place AS place
        FROM :occur
        LEFT JOIN :taxonomy ON path[1] = label
        """,
        place=number(place),
        occur=f"values_{own}",
        taxonomy=taxonomy_step(own),
    )


def leaves(trees: Places) -> exp.Select:
    """The leaves of all taxonomies, and NULL where the source has a gap."""
    paths = [
        query("SELECT path, :place AS place FROM :taxonomy", place=number(place), taxonomy=taxonomy_step(own))
        for own, place in trees.items()
    ]
    missing = query("SELECT CAST(NULL AS VARCHAR[]) AS path, place FROM gaps WHERE gap")
    return query(
        """
        SELECT
            place, path[1] AS label, path,
            row_number() OVER (PARTITION BY place ORDER BY _sqlanon_from_root(path) ASC NULLS LAST) - 1 AS code
        FROM :paths
        """,
        paths=union([*paths, missing]).subquery("paths"),
    )


def leaf_counts(columns: Columns, places: Places) -> exp.Select:
    """How many leaves each taxonomy has, with NULL and without. SA105 if a value of the source is none of them."""
    uncovered = TaxonomyError(OUTLINE, "does not cover the data", "Leaves are matched by their text.")
    roots = TaxonomyError(OUTLINE, "is not a tree: its last level has more than one value")
    return query(
        """
        SELECT
            domain_size, known, place, 'VARCHAR' AS type_name, 'tree' AS kind, domain_size AS whole,
            CAST(NULL AS STRUCT(label VARCHAR, measure DOUBLE)) AS least,
            CAST(NULL AS STRUCT(label VARCHAR, measure DOUBLE)) AS greatest
        FROM (
            SELECT
                gaps.place, any_value(uncovered) AS uncovered,
                count(code) AS domain_size, count(path) AS known, count(DISTINCT path[-1]) AS roots
            FROM gaps
            LEFT JOIN leaves ON leaves.place = gaps.place
            GROUP BY gaps.place
        ) AS counted
        WHERE CASE WHEN uncovered THEN error(:uncovered) WHEN roots > 1 THEN error(:roots) ELSE TRUE END
        """,
        uncovered=naming(str(uncovered), columns, places),
        roots=naming(str(roots), columns, places),
    )


def subtrees(columns: Columns, places: Places) -> exp.Select:
    """Every label of the taxonomies with its leaves; one that occurs on several levels stands for its lowest."""
    no_tree = TaxonomyError(OUTLINE, "is not a tree: a label lies below two different ones")
    unnamed = TaxonomyError(OUTLINE, "is not a tree: a label is NULL", "Fill every level of every row.")
    return query(
        """
        SELECT place, label, min(level) AS level, arg_min(low, level) AS low, arg_min(high, level) AS high
        FROM (
            SELECT place, level, path[level] AS label, min(code) AS low, max(code) AS high
            FROM (SELECT place, path, code, unnest(range(1, len(path) + 1)) AS level FROM leaves) AS steps
            GROUP BY place, level, path[level]
            HAVING CASE
                WHEN path[level] IS NULL THEN error(:unnamed)
                WHEN count(DISTINCT path[level + 1]) > 1 OR (level = 1 AND count(*) > 1) THEN error(:no_tree)
                ELSE TRUE
            END
        ) AS levels
        GROUP BY place, label
        """,
        no_tree=naming(str(no_tree), columns, places),
        unnamed=naming(str(unnamed), columns, places),
    )


def labels(columns: Columns, own: str) -> exp.Expr:
    """The labels that a column may publish, each with its leaves; without a taxonomy, its values."""
    if own in columns.taxonomy:
        return exp.to_table(f"nodes_{own}")
    return query("SELECT label, code AS low, code AS high FROM :domain", domain=f"domain_{own}").subquery()
