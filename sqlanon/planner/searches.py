"""The statements behind best_l and frontier: several releases of one table, measured and not published.

frontier is one chain of steps, so that no two settings compete for the machine while one of them is timed:

    given        the columns asked for, read once
    limits       one row: the largest l that the table allows
    start_i      the time, once the setting before this one is measured
    release_i    the release of the setting, from given after start_i; empty where the table does not allow l
    finish_i     the time, once the release is there
    measured_i   the row of the setting, from given and release_i after finish_i
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from itertools import count

from sqlglot import exp

from sqlanon.errors import TooFewRows
from sqlanon.request import Release, Search, read_evaluation

from . import evaluate
from .release import own_names, packing_steps, release_statement, with_steps
from .source import wanted_columns
from .template import expression, identifier, query, struct, text

QUERIES, SELECTIVITY, DIMS = 200, 0.05, 3
"""The random count queries that frontier puts to each release; fewer dimensions where there are fewer columns."""


def search_statement(search: Search) -> exp.Query:
    """Build the statement of a search."""
    return best_l_statement(search) if search.function == "best_l" else frontier_statement(search)


def best_l_statement(search: Search) -> exp.Select:
    """The whole table goes through the algorithm as one row, as in a release, but for many l."""
    (request,) = search.settings
    asked: dict[str, exp.Expr] = {
        "algo": text(request.algo),
        "seed": exp.Literal.number(request.seed),
        "recode": text(request.recode),
        "max_gcp": exp.cast(exp.Literal.number(repr(search.max_gcp)), "DOUBLE"),
    }
    answer = query(
        "SELECT unnest(_sqlanon_best_l(:asked, packed.rows, described.columns)) FROM packed CROSS JOIN described",
        asked=struct(asked.items()),
    )
    return with_steps(answer, packing_steps(replace(request, function=search.function), own_names(request)))


class Names:
    """The steps of frontier by names that no text of the user has: what reads them gets them as text, for good."""

    def __init__(self, request: Release) -> None:
        texts = " ".join((request.tbl, *(table for _, table in request.taxonomy))).lower()
        prefixes = ("_sqlanon_frontier" + "_" * i for i in count())
        self.prefix = next(prefix for prefix in prefixes if prefix not in texts)

    def __call__(self, step: str, setting: int | None = None) -> exp.Table:
        name = f"{self.prefix}_{step}" if setting is None else f"{self.prefix}_{step}_{setting}"
        return exp.Table(this=identifier(name))

    def after(self, step: str, clock: str, setting: int) -> str:
        """The rows of a step once the clock of a setting was read, as text that can be given for a table."""
        rows = query(
            "SELECT * FROM :step WHERE (SELECT tick FROM :clock) > 0", step=self(step), clock=self(clock, setting)
        )
        return rows.subquery().sql("duckdb")


def frontier_statement(search: Search) -> exp.Query:
    """One row per setting, in the order given, each measured before the next one starts."""
    names = Names(search.settings[0])
    steps = {names("given"): given_rows(search.settings[0]), names("limits"): limits(search.settings[0], names)}
    for i, request in enumerate(search.settings, 1):
        steps |= {
            names("start", i): start(request, names, i),
            names("release", i): release(request, names, i),
            names("finish", i): finish(names, i),
            names("measured", i): measured(request, names, i),
        }
    rows: list[exp.Query] = [exp.select("*").from_(names("measured", i)) for i in range(1, len(search.settings) + 1)]
    every = reduce(lambda one, other: exp.union(one, other, distinct=False, copy=False), rows)
    statement = query(
        """
        SELECT algo, l, gcp, avg_class_size, kl, median_error, seconds FROM :every ORDER BY place ASC
        """,
        every=every.subquery("every_setting"),
    )
    for table, step in steps.items():
        statement = statement.with_(exp.TableAlias(this=table.this.copy()), step, materialized=True, copy=False)
    return statement


def given_rows(request: Release) -> exp.Select:
    """The columns asked for, under the user's own names."""
    columns = own_names(request)
    wanted = wanted_columns(request.tbl, "frontier", columns.names)
    plain = (
        exp.alias_(expression(f"_sqlanon_plain(found.{own}, found.{own})"), identifier(name))
        for own, name in columns.names.items()
    )
    return wanted.select(*plain, append=False)


def limits(request: Release, names: Names) -> exp.Select:
    """One row: the largest l that the table allows. SA202 where there are too few rows for any."""
    return query(
        """
        SELECT CASE
            WHEN rows = 0 THEN error(:empty) WHEN rows = 1 THEN error(:single) ELSE rows // top
        END AS max_l
        FROM (
            SELECT coalesce(sum(n), 0) AS rows, max(n) AS top
            FROM (SELECT count(*) AS n FROM :given GROUP BY :sa) AS buckets
        ) AS counted
        """,
        empty=text(str(TooFewRows(0, "l", 2))),
        single=text(str(TooFewRows(1, "l", 2))),
        given=names("given"),
        sa=exp.column(identifier(request.sa[0])),
    )


def start(request: Release, names: Names, i: int) -> exp.Select:
    """The time, once everything before is done; the first setting waits for the table to be read."""
    before = (
        query("SELECT seconds FROM :measured", measured=names("measured", i - 1))
        if i > 1
        else query("SELECT max_l FROM :limits", limits=names("limits"))
    )
    return query("SELECT _sqlanon_clock(:before, :algo) AS tick", before=before.subquery(), algo=text(request.algo))


def release(request: Release, names: Names, i: int) -> exp.Select:
    """The release of a setting, without a row where the table does not allow its l."""
    rows = query(
        "SELECT * FROM :given WHERE (SELECT max_l FROM :limits) >= :l AND (SELECT tick FROM :start) > 0",
        given=names("given"),
        limits=names("limits"),
        l=exp.Literal.number(request.least),
        start=names("start", i),
    )
    tbl = rows.subquery().sql("duckdb")
    statement = release_statement(replace(request, tbl=tbl))
    for call in list(statement.find_all(exp.Anonymous)):
        if call.name == "_sqlanon_groups":
            # no rows, nothing to group: the algorithm would refuse
            call.replace(expression("CASE WHEN packed.rows IS NULL THEN NULL ELSE :groups END", groups=call.copy()))
    return statement


def finish(names: Names, i: int) -> exp.Select:
    """The time, once every row of the release is there."""
    return query(
        "SELECT _sqlanon_clock((SELECT count(*) FROM :release), CAST(NULL AS VARCHAR)) AS tick",
        release=names("release", i),
    )


def measured(request: Release, names: Names, i: int) -> exp.Select:
    """The row of a setting, all measured from the same steps; without measures where the table does not allow l."""
    asked: dict[str, object] = {
        "src": names.after("given", "finish", i),
        "rel": names.after(f"release_{i}", "finish", i),
        "qi": list(request.qi),
        "sa": request.sa[0],
        "taxonomy": dict(request.taxonomy),
        "dims": min(DIMS, len(request.qi) + 1),
        "queries": QUERIES,
        "selectivity": SELECTIVITY,
        "seed": request.seed,
    }
    evaluation = read_evaluation("count_query_error", asked)
    columns = evaluate.own_names(evaluation)
    answers = {
        name: evaluate.ANSWERS[name](replace(evaluation, function=name), columns).subquery(name)
        for name in ("info_loss", "kl_divergence", "count_query_error")
    }
    row = query(
        """
        SELECT
            CAST(:place AS INTEGER) AS place,
            CAST(:algo AS VARCHAR) AS algo,
            CAST(:l AS INTEGER) AS l,
            CASE WHEN max_l >= :l THEN loss.gcp END AS gcp,
            CASE WHEN max_l >= :l THEN loss.avg_class_size END AS avg_class_size,
            CASE WHEN max_l >= :l THEN divergence.kl END AS kl,
            CASE WHEN max_l >= :l THEN errors.median_error END AS median_error,
            CASE WHEN max_l >= :l THEN finish.tick - start.tick END AS seconds
        FROM (SELECT gcp, avg_class_size FROM :info_loss) AS loss
        CROSS JOIN (SELECT kl FROM :kl_divergence) AS divergence
        CROSS JOIN (SELECT median(relative_error) AS median_error FROM :count_query_error) AS errors
        CROSS JOIN :limits AS limits
        CROSS JOIN :start AS start
        CROSS JOIN :finish AS finish
        """,
        place=exp.Literal.number(i),
        algo=text(request.algo),
        l=exp.Literal.number(request.least),
        limits=names("limits"),
        start=names("start", i),
        finish=names("finish", i),
        **answers,
    )
    for name, step in evaluate.evaluation_steps(evaluation, columns).items():
        row = row.with_(name, step, materialized=name.startswith(evaluate.MATERIALIZED) or None, copy=False)
    return row
