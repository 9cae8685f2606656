"""The values that columns can have, each with its code.

Steps hold all columns at once, and `place` says whose a row is: to plan steps for every column takes DuckDB longer than
to run them. Only what a column's own type or taxonomy decides has steps of its own.

kinds        one row, two lists: the types of the columns, and what these allow
values_*     the distinct values of a column of the source; `rank` is their order, NULL last
occurring    the domains of columns without a taxonomy: the values of the source
domains      the domains of all columns: one row per value that they can have, in order, NULL last
sizes        per column, how many values it can have, and how far they reach
domain_*     one of the domains; with a taxonomy, its leaves
size_*       one row: how many values that are
nodes_*      with a taxonomy: every label, and the leaves below it, codes low … high
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce

from sqlglot import exp

from sqlanon.errors import TaxonomyError, UnsupportedType

from .template import Columns, column, expression, query, taxonomy_step, text

OUTLINE = "<column>"
"""Where the name of a column goes in the text of an error that any of them may raise."""

TYPE_OUTLINE = "<type>"
"""Where the name of a type goes: only the running statement knows it."""

Places = Mapping[str, int]
"""The columns, numbered from 1."""


def value_steps(columns: Columns, places: Places) -> dict[str, exp.Query]:
    """The steps from the source to the distinct values of its columns, and to the labels of taxonomies."""
    steps: dict[str, exp.Query] = {"kinds": kinds(columns, places)}
    for own in places:
        steps[f"values_{own}"] = values(own)
        if own in columns.taxonomy:
            steps[f"domain_{own}"] = leaves(own)
            steps[f"size_{own}"] = leaf_count(own, columns.names[own])
            steps[f"nodes_{own}"] = nodes(own, columns.names[own])
    return steps


def domain_steps(columns: Columns, places: Places) -> dict[str, exp.Query]:
    """The steps from the distinct values, and what the release lists of them, to the domains."""
    trees = {own: place for own, place in places.items() if own in columns.taxonomy}
    others = {own: place for own, place in places.items() if own not in columns.taxonomy}
    domains = [placed_leaves(own, place) for own, place in trees.items()]
    sizes = [placed_count(own, place) for own, place in trees.items()]
    steps: dict[str, exp.Query] = {}
    if others:
        steps["occurring"] = occurring(others)
        domains.append(query("SELECT * FROM occurring"))
        sizes.append(extents(columns, places, others))
    steps |= {"domains": union(domains), "sizes": union(sizes)}
    for own, place in others.items():
        steps[f"domain_{own}"] = domain(own, place)
        steps[f"size_{own}"] = query("SELECT domain_size FROM sizes WHERE place = :place", place=number(place))
    return steps


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
    """How many values there are, how many are known (not NULL, not `*`), and how far the finite ones reach.

    A list of `whole` values is everything: those known, and one that stands for all that are not. SA104 for a type that
    is neither measured nor a category.
    """
    before, after = str(UnsupportedType(OUTLINE, TYPE_OUTLINE)).split(TYPE_OUTLINE)
    return query(
        """
        SELECT
            domain_size, known, place, type_name, kind,
            known + CAST(known < domain_size AS INTEGER) AS whole,
            _sqlanon_distance(type_name, least.label, greatest.label, least.measure, greatest.measure) AS span
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


def placed_leaves(own: str, place: int) -> exp.Query:
    """The leaves of a taxonomy among the domains of all columns."""
    return query(
        "SELECT code AS rank, label, :place AS place, CAST(NULL AS DOUBLE) AS measure, code FROM :domain",
        place=number(place),
        domain=f"domain_{own}",
    )


def placed_count(own: str, place: int) -> exp.Query:
    """The number of leaves among the sizes of all domains; SA105 for a taxonomy that is wrong."""
    return query(
        """
        SELECT
            domain_size, known, :place AS place, 'VARCHAR' AS type_name, 'tree' AS kind, domain_size AS whole,
            CAST(NULL AS DOUBLE) AS span
        FROM :size
        """,
        place=number(place),
        size=f"size_{own}",
    )


def union(queries: Iterable[exp.Query]) -> exp.Query:
    """The rows of all of them."""
    return reduce(lambda one, other: exp.union(one, other, distinct=False, copy=False), queries)


def number(place: int) -> exp.Expr:
    """A number literal."""
    return exp.Literal.number(place)


def leaves(own: str) -> exp.Select:
    """The leaves of the taxonomy, subtrees together, and NULL if the source has it, or a `*` that is no leaf."""
    return query(
        """
        SELECT path[1] AS label, path, row_number() OVER (ORDER BY list_reverse(path) ASC NULLS LAST) - 1 AS code
        FROM (
            SELECT path FROM :taxonomy
            UNION ALL SELECT DISTINCT CAST(NULL AS VARCHAR[]) FROM :occur
            WHERE label IS NULL OR (label = '*' AND NOT '*' IN (SELECT coalesce(path[1], '') FROM :taxonomy))
        ) AS paths
        """,
        taxonomy=taxonomy_step(own),
        occur=f"values_{own}",
    )


def leaf_count(own: str, name: str) -> exp.Select:
    """One row: how many leaves there are, with NULL and without. SA105 if a value of the source is none of them."""
    uncovered = TaxonomyError(name, "does not cover the data", "Leaves are matched by their text.")
    roots = TaxonomyError(name, "is not a tree: its last level has more than one value")
    return query(
        """
        SELECT domain_size, known
        FROM (
            SELECT count(*) AS domain_size, count(path) AS known, count(DISTINCT path[-1]) AS roots FROM :listed
        ) AS counted
        WHERE CASE
            WHEN EXISTS(
                SELECT 1 FROM :occur
                WHERE label <> '*' AND NOT label IN (SELECT label FROM :listed WHERE NOT label IS NULL)
            ) THEN error(:uncovered)
            WHEN roots > 1 THEN error(:roots)
            ELSE TRUE
        END
        """,
        listed=f"domain_{own}",
        occur=f"values_{own}",
        uncovered=text(str(uncovered)),
        roots=text(str(roots)),
    )


def nodes(own: str, name: str) -> exp.Select:
    """Every label of the taxonomy with its leaves; one that occurs on several levels stands for its lowest."""
    no_tree = TaxonomyError(name, "is not a tree: a label lies below two different ones")
    unnamed = TaxonomyError(name, "is not a tree: a label is NULL", "Fill every level of every row.")
    return query(
        """
        SELECT label, arg_min(low, level) AS low, arg_min(high, level) AS high
        FROM (
            SELECT level, path[level] AS label, min(code) AS low, max(code) AS high
            FROM (SELECT path, code, unnest(range(1, len(path) + 1)) AS level FROM :domain) AS steps
            GROUP BY level, path[level]
            HAVING CASE
                WHEN path[level] IS NULL THEN error(:unnamed)
                WHEN count(DISTINCT path[level + 1]) > 1 OR (level = 1 AND count(*) > 1) THEN error(:no_tree)
                ELSE TRUE
            END
        ) AS levels
        GROUP BY label
        """,
        domain=f"domain_{own}",
        no_tree=text(str(no_tree)),
        unnamed=text(str(unnamed)),
    )


def labels(columns: Columns, own: str) -> exp.Expr:
    """The labels that a column may publish, each with its leaves: none without a taxonomy."""
    if own in columns.taxonomy:
        return exp.to_table(f"nodes_{own}")
    none = "SELECT CAST(NULL AS VARCHAR) AS label, CAST(NULL AS BIGINT) AS low, CAST(NULL AS BIGINT) AS high"
    return query(none).subquery()
