"""The statement behind randomize_params, and the steps that it shares with randomize, one CTE per step.

source      the columns that were named, under our keys: qi_1 …, keep_1 …
domain_*    what is drawn from: a column's values with counts and codes (domains.py)
described   one row: what the columns are, and the counts of their domains
parameters  one row: the length of lists and p by column, and the key that decoys are drawn with
dictionary  one row: the values of each domain, in the order of their codes
"""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from sqlanon.statement.source import plain_value, wanted_columns
from sqlanon.statement.template import (
    Columns,
    Inline,
    Once,
    Step,
    column,
    expression,
    number_literal,
    query,
    struct,
    text,
    with_steps,
)

from .domains import domain, published_values
from .request import Randomization


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
            unnest(struct_extract(parameters, 'expected_l2')) AS expected_l2,
            unnest(struct_extract(parameters, 'grounds')) AS ground
        FROM (SELECT :attributes AS attributes, parameters.parameters FROM parameters CROSS JOIN dictionary) AS answer
        """,
        attributes=attributes,
    )
    steps = {**parameter_steps(request, columns), "dictionary": dictionary(columns, "CAST(value AS VARCHAR)")}
    return with_steps(rows, steps)


def named_columns(request: Randomization) -> Columns:
    """Give every column that was named a key."""
    columns = Columns.of(request.names, (), request.keep, request.domain).columns
    bins = dict(request.bins)
    return Columns({key: replace(each, bins=bins.get(each.name)) for key, each in columns.items()})


def parameter_steps(request: Randomization, columns: Columns) -> dict[str, Step]:
    """The steps from the user's table to the parameters."""
    wanted = wanted_columns(request.tbl, request.function, columns.coded)
    plain = (exp.alias_(plain_value(key), key) for key in columns.coded)
    run = Once if len(columns.qi) <= FEW else Inline
    return {
        "source": Once(wanted.select(*plain, append=False)),
        **{f"domain_{key}": run(domain(columns, key)) for key in columns.qi},
        "described": described_columns(columns),
        "parameters": Once(
            query(
                "SELECT _sqlanon_randomization(:setting, described.columns) AS parameters FROM described",
                setting=setting(request),
            )
        ),
    }


FEW = 32
"""Domains of so many columns are counted once. Below some fifty steps that run once, DuckDB no longer knows how many
rows to expect, keeps all lists in memory, and uses one thread; to count again what is in a column is quick."""


def described_columns(columns: Columns) -> exp.Select:
    """One row: what the columns are; the counts of those that are randomized, and what of keep is refused or unique."""
    described: list[tuple[str, exp.Expr]] = []
    for key in columns.qi:
        problem = "problem" if key in columns.taxonomy else "CAST(NULL AS VARCHAR)"
        domain = query(
            """
            SELECT {
                'column': :name, 'type': typeof(any_value(value)), 'kind': _sqlanon_kind(typeof(any_value(value))),
                'binned': :binned, 'counts': (SELECT list(n ORDER BY code ASC) FROM :published),
                'foreign': count(*) FILTER (WHERE :problem = 'foreign'),
                'missing': count(*) FILTER (WHERE :problem = 'missing')
            }
            FROM :domain
            """,
            name=text(columns.names[key]),
            problem=expression(problem),
            binned=exp.convert(columns.columns[key].bins is not None),
            published=published_values(columns, key),
            domain=f"domain_{key}",
        )
        described.append((key, domain.subquery()))
    for key in columns.kept:
        kept = query(
            """
            SELECT {
                'column': :name, 'type': typeof(any_value(:kept)),
                'kind': CASE WHEN _sqlanon_has_enum(typeof(any_value(:kept))) THEN 'with enum' ELSE 'kept' END,
                'rows': count(*),
                'unique': (
                    SELECT count(*)
                    FROM (SELECT 1 FROM source WHERE NOT :kept IS NULL GROUP BY :kept HAVING count(*) = 1) AS once
                )
            }
            FROM source
            """,
            name=text(columns.names[key]),
            kept=column(key),
        )
        described.append((key, kept.subquery()))
    return exp.select(exp.alias_(struct(described), "columns"))


def setting(request: Randomization) -> exp.Struct:
    """The settings of the Arrow function that chooses parameters."""
    lengths = exp.array(*(exp.null() if l is None else number_literal(l) for _, l, _ in request.protected))
    bounds = exp.array(*(exp.null() if t is None else number_literal(t) for _, _, t in request.protected))
    return struct(
        [
            ("l", exp.cast(lengths, "INTEGER[]")),
            ("t", exp.cast(bounds, "DOUBLE[]")),
            ("ground", exp.array(*map(text, request.grounds))),
            ("seed", exp.convert(request.seed)),
        ]
    )


def dictionary(columns: Columns, value: str) -> exp.Select:
    """One row: by column, what is published for the values of its domain (or `n`) in the order of their codes."""
    return exp.select(*(exp.alias_(list_values(columns, key, value).subquery(), key) for key in columns.qi))


def list_values(columns: Columns, key: str, value: str) -> exp.Select:
    """The same for one column, as one list."""
    return query(
        "SELECT list(:value ORDER BY code ASC) FROM :published",
        value=expression(value),
        published=published_values(columns, key),
    )
