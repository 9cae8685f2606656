"""The statements behind randomize and randomize_params, one CTE per step.

source      the columns that were named, under our keys: qi_1 …, keep_1 …
domain_*    a column's distinct values, how many rows have each, and its code: its rank, NULL last
described   one row: what the columns are, and the counts of their domains
parameters  one row: the length of lists and p by column, and the key that decoys are drawn with
coded       the rows with codes for values, and a number. With a seed, rows are numbered in the order of what they
            hold, so that the release does not depend on the order of the source
randomized  the rows with lists for codes
checked     one row: what is wrong with any list
promise     TRUE once every list is as it must be; raises otherwise, so that nothing leaves
dictionary  one row: the values of each domain, in the order of their codes
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from sqlanon.request.randomization import Randomization

from .promise import broken_promise
from .source import plain_value, wanted_columns
from .taxonomy_reader import taxonomy_rows
from .template import (
    Columns,
    Once,
    Step,
    column,
    expression,
    identifier,
    number_literal,
    query,
    struct,
    text,
    with_steps,
)


def randomize_statement(request: Randomization) -> exp.Select:
    """Build the statement that publishes a randomized release."""
    columns = named_columns(request)
    steps: dict[str, Step] = {
        **parameter_steps(request, columns),
        "coded": coded_rows(request, columns),
        "randomized": Once(randomized_rows(columns)),
        "counts": dictionary(columns, "n"),
        "checked": Once(checked_rows(request, columns)),
        "promise": promise(request, columns),
        "dictionary": dictionary(columns, "value"),
    }
    lists = (
        exp.alias_(
            expression("list_select(:domain, :items)", domain=column(key, "dictionary"), items=items(columns, key)),
            identifier(columns.names[key]),
        )
        for key in columns.qi
    )
    kept = (exp.alias_(column(key, "randomized"), identifier(columns.names[key])) for key in columns.kept)
    rows = (
        exp.select(*lists, *kept)
        .from_("randomized")
        .join("dictionary", join_type="cross", copy=False)
        .join("promise", join_type="cross", copy=False)
        .where("promise.kept", copy=False)
    )
    order = (expression("struct_extract(randomized.drawn, 'place')"), column("number", "randomized"))
    return with_steps(rows.order_by(*(exp.Ordered(this=key, desc=False, nulls_first=False) for key in order)), steps)


def params_statement(request: Randomization) -> exp.Select:
    """Build the statement that tells how a release would be randomized, and publishes nothing."""
    columns = named_columns(request)
    attributes = struct(
        (name, part)
        for name, part in (
            ("attribute", exp.array(*(text(columns.names[key]) for key in columns.qi))),
            ("domain", exp.array(*(column(key, "dictionary") for key in columns.qi))),
        )
    )
    rows = query(
        """
        SELECT
            unnest(struct_extract(attributes, 'attribute')) AS attribute,
            unnest(struct_extract(attributes, 'domain')) AS domain,
            unnest(struct_extract(parameters, 'sizes')) AS domain_size,
            unnest(struct_extract(parameters, 'etas')) AS eta,
            unnest(struct_extract(parameters, 'p')) AS p,
            unnest(struct_extract(parameters, 'expected_l2')) AS expected_l2
        FROM (SELECT :attributes AS attributes, parameters.parameters FROM parameters CROSS JOIN dictionary) AS answer
        """,
        attributes=attributes,
    )
    steps = {**parameter_steps(request, columns), "dictionary": dictionary(columns, "CAST(value AS VARCHAR)")}
    return with_steps(rows, steps)


def named_columns(request: Randomization) -> Columns:
    """Give every column that was named a key."""
    return Columns.of(request.names, (), request.keep, request.domain)


def parameter_steps(request: Randomization, columns: Columns) -> dict[str, Step]:
    """The steps from the user's table to the parameters."""
    wanted = wanted_columns(request.tbl, request.function, columns.coded)
    plain = (exp.alias_(plain_value(key), key) for key in columns.coded)
    return {
        "source": Once(wanted.select(*plain, append=False)),
        **{f"domain_{key}": Once(domain(columns, key)) for key in columns.qi},
        "described": described_columns(columns),
        "parameters": Once(
            query(
                "SELECT _sqlanon_randomization(:setting, described.columns) AS parameters FROM described",
                setting=setting(request),
            )
        ),
    }


def domain(columns: Columns, key: str) -> exp.Select:
    """The values that a column can have: those that occur, or those of the owner's table."""
    return owners_domain(columns, key) if key in columns.taxonomy else counted_domain(key)


def counted_domain(key: str) -> exp.Select:
    """The distinct values of a column with their counts and codes."""
    return query(
        """
        SELECT value, n, CAST(row_number() OVER (ORDER BY value ASC NULLS LAST) - 1 AS INTEGER) AS code
        FROM :occurring
        """,
        occurring=occurring_values(key).subquery("once"),
    )


def occurring_values(key: str) -> exp.Select:
    """The distinct values of a column with their counts."""
    return query(
        "SELECT _sqlanon_spelling(:column, :column) AS value, count(*) AS n FROM source GROUP BY :column",
        column=column(key),
    )


def owners_domain(columns: Columns, key: str) -> exp.Select:
    """The values in the first column of the owner's table, and NULL if it occurs.

    `problem`: why a value does not belong there: it is of another type, or it occurs and is missing in the table.
    """
    labels = query(
        """
        SELECT DISTINCT TRY(cast_to_type(label, witness)) AS value, TRY(cast_to_type(label, witness)) IS NULL AS foreign
        FROM (SELECT list_extract(labels, 1) AS label FROM :rows) AS first
        CROSS JOIN (SELECT any_value(:column) AS witness FROM source) AS typed
        WHERE NOT label IS NULL
        """,
        rows=taxonomy_rows(columns.taxonomy[key], columns.names[key]).subquery("rows"),
        column=column(key),
    )
    return query(
        """
        SELECT
            value, n, CAST(row_number() OVER (ORDER BY value ASC NULLS LAST) - 1 AS INTEGER) AS code,
            CASE WHEN foreign THEN 'foreign' WHEN foreign IS NULL AND NOT value IS NULL THEN 'missing' END AS problem
        FROM (
            SELECT coalesce(once.value, owned.value) AS value, coalesce(n, 0) AS n, foreign
            FROM :occurring FULL JOIN :owned ON once.value = owned.value
        ) AS matched
        """,
        occurring=occurring_values(key).subquery("once"),
        owned=labels.subquery("owned"),
    )


def described_columns(columns: Columns) -> exp.Select:
    """One row: what the columns are; the counts of those that are randomized, and which of keep are refused."""
    described: list[tuple[str, exp.Expr]] = []
    for key in columns.qi:
        problem = "problem" if key in columns.taxonomy else "CAST(NULL AS VARCHAR)"
        domain = query(
            """
            SELECT {
                'column': :name, 'type': typeof(any_value(value)), 'kind': _sqlanon_kind(typeof(any_value(value))),
                'counts': list(n ORDER BY code ASC),
                'foreign': count(*) FILTER (WHERE :problem = 'foreign'),
                'missing': count(*) FILTER (WHERE :problem = 'missing')
            }
            FROM :domain
            """,
            name=text(columns.names[key]),
            problem=expression(problem),
            domain=f"domain_{key}",
        )
        described.append((key, domain.subquery()))
    for key in columns.kept:
        kept = query(
            """
            SELECT {
                'column': :name, 'type': typeof(any_value(:kept)),
                'kind': CASE WHEN _sqlanon_has_enum(typeof(any_value(:kept))) THEN 'with enum' ELSE 'kept' END
            }
            FROM source
            """,
            name=text(columns.names[key]),
            kept=column(key),
        )
        described.append((key, kept.subquery()))
    return exp.select(exp.alias_(struct(described), "columns"))


def setting(request: Randomization) -> exp.Struct:
    """What the Arrow function that chooses parameters has to know."""
    lengths = exp.array(*(exp.null() if l is None else number_literal(l) for _, l, _ in request.protected))
    bounds = exp.array(*(exp.null() if t is None else number_literal(t) for _, _, t in request.protected))
    return struct(
        [
            ("l", exp.cast(lengths, "INTEGER[]")),
            ("t", exp.cast(bounds, "DOUBLE[]")),
            ("seed", exp.convert(request.seed)),
        ]
    )


def coded_rows(request: Randomization, columns: Columns) -> exp.Select:
    """Every protected value replaced by its code, and the rows numbered."""
    codes = [column("code", f"domain_{key}") for key in columns.qi]
    keys: list[exp.Expr] = []
    if request.seed is not None:
        keys = [*codes, *(column(key, "source") for key in columns.kept)]
        keys += (expression("CAST(:kept AS VARCHAR)", kept=column(key, "source")) for key in columns.kept)
    order = exp.Order(expressions=[exp.Ordered(this=key, desc=False, nulls_first=False) for key in keys])
    number = exp.Window(this=exp.RowNumber(), order=order if keys else None)
    coded = exp.select(
        exp.alias_(number, "number"),
        exp.alias_(exp.array(*(code.copy() for code in codes)), "codes"),
        *(exp.alias_(column(key, "source"), key) for key in columns.kept),
    ).from_("source")
    for key in columns.qi:
        same = exp.NullSafeEQ(this=column(key, "source"), expression=column("value", f"domain_{key}"))
        coded = coded.join(f"domain_{key}", on=same, copy=False)
    return coded


def randomized_rows(columns: Columns) -> exp.Select:
    """The rows, in codes, with the lists that hide them."""
    drawn = "_sqlanon_decoys(parameters.parameters, coded.number, coded.codes) AS drawn"
    kept = (column(key, "coded") for key in columns.kept)
    rows = exp.select("coded.number", "coded.codes", *kept, expression(drawn)).from_("coded")
    return rows.join("parameters", join_type="cross", copy=False)


def items(columns: Columns, key: str) -> exp.Expr:
    """The list of a row: places in its domain, from 1."""
    place = exp.Literal.number(columns.qi.index(key) + 1)
    return expression("list_extract(struct_extract(randomized.drawn, 'lists'), :place)", place=place)


def dictionary(columns: Columns, value: str) -> exp.Select:
    """One row: by column, the values of its domain in the order of their codes."""
    domains = (
        exp.alias_(
            query(
                "SELECT list(:value ORDER BY code ASC) FROM :domain", value=expression(value), domain=f"domain_{key}"
            ).subquery(),
            key,
        )
        for key in columns.qi
    )
    return exp.select(*domains)


def promise(request: Randomization, columns: Columns) -> exp.Select:
    """One row: TRUE, or SA901 unless every row is there, and every list is as it must be."""
    kept = exp.Case().when(
        expression("(SELECT count(*) FROM source) <> (SELECT n FROM checked)"),
        broken_promise("rows were lost or added on the way"),
    )
    for place, (words, _) in enumerate(broken_lists(request, columns)):
        flag = query("SELECT (:flag) FROM checked", flag=column(f"broken_{place}")).subquery()
        kept = kept.when(flag, broken_promise(words))
    return exp.select(exp.alias_(kept.else_(exp.true()), "kept"))


def checked_rows(request: Randomization, columns: Columns) -> exp.Select:
    """One row: how many rows there are, and what is wrong with any of them."""
    flags = (
        exp.alias_(expression("coalesce(bool_or(coalesce(:broken, TRUE)), FALSE)", broken=broken), f"broken_{place}")
        for place, (_, broken) in enumerate(broken_lists(request, columns))
    )
    rows = exp.select("count(*) AS n", *flags).from_("randomized")
    return rows.join("parameters", join_type="cross", copy=False).join("counts", join_type="cross", copy=False)


def broken_lists(request: Randomization, columns: Columns) -> Iterator[tuple[str, exp.Expr]]:
    """What may be wrong with the list of a row, and whether it is."""
    for place, (key, (name, l, t)) in enumerate(zip(columns.qi, request.protected, strict=True), 1):
        parts = {
            "items": items(columns, key),
            "code": expression("list_extract(randomized.codes, :place)", place=exp.Literal.number(place)),
            "counts": column(key, "counts"),
            **{
                name: expression(
                    "list_extract(struct_extract(parameters.parameters, :field), :place)",
                    field=text(field),
                    place=exp.Literal.number(place),
                )
                for name, field in (("eta", "etas"), ("size", "sizes"), ("p", "p"))
            },
        }
        yield (
            f"a list of column {name!r} is not one of eta different values of its domain",
            expression(
                """
                len(:items) <> :eta OR len(list_distinct(:items)) <> :eta
                OR list_extract(:items, 1) < 1 OR list_extract(:items, -1) > :size
                """,
                **parts,
            ),
        )
        yield (
            f"the order of a list of column {name!r} tells something",
            expression("_sqlanon_sorted(:items) <> :items", **parts),
        )
        yield (
            f"a list of column {name!r} does not hold its value",
            expression("1 = :p AND NOT list_contains(:items, :code + 1)", **parts),
        )
        if l is not None:
            fewer = expression("len(:items) < :l", l=number_literal(l), **parts)
            yield f"a list of column {name!r} has fewer than l = {l} values", fewer
        if t is not None:
            beyond = expression(BEYOND, t=number_literal(t), **parts)
            yield f"a list of column {name!r} tells more than t = {t} allows", beyond


BEYOND = """
    _sqlanon_belief_change(
        list_aggregate(list_select(:counts, :items), 'sum') / (SELECT count(*) FROM source), :size, :eta, :p
    ) > :t + 1e-9
"""
"""A list that moves what is believed of its row by more than t."""
