"""The statement behind randomize, one CTE per step; it starts with the steps of parameters.

coded       the rows with codes for values, and a number. With a seed, rows are numbered in the order of what they
            hold, so that the release does not depend on the order of the source
shuffled    the same in an order that depends on numbers and the key, and tells nothing. It is read once: of what runs
            on its own, rows may be read in any order
promise     TRUE once the parameters keep what was promised and no row was lost; raises otherwise
assigned    the rows with sets for codes, some thousand at a time: all lists at once would take all memory there is
dictionary  one row: the values of each domain, in the order of their codes
opened      the rows with values for sets

A row stands for itself, so each is checked as it leaves, by the function that draws its lists (see
udfs/randomizing/drawing.py), and here by how much they tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlglot import exp

from sqlanon.cells.cell import Cell
from sqlanon.cells.sets import PlainValue, ValueSet
from sqlanon.release.models import choose
from sqlanon.release.promise import broken_promise
from sqlanon.release.recode import released_rows, row_steps
from sqlanon.statement.template import Columns, Once, Step, column, expression, number_literal, query, text, with_steps

from .parameters import dictionary, list_values, named_columns, parameter_steps
from .request import Randomization


def randomize_statement(request: Randomization) -> exp.Select:
    """Build the statement that publishes a randomized release."""
    columns = named_columns(request)
    cells = published_cells(columns)
    steps: dict[str, Step] = {
        **parameter_steps(request, columns),
        **coded_steps(request, columns),
        "shuffled": shuffled_rows(),
        "promise": promise(request),
        "counts": dictionary(columns, "n"),
        "assigned": assigned_rows(request, columns),
        **row_steps(cells),
    }
    return with_steps(released_rows(columns, cells, grouped=False), steps)


def published_cells(columns: Columns) -> list[Cell]:
    """The published columns: a list for each that is protected."""
    sets = (ValueSet(key, number, list_values(columns, key, "value")) for number, key in enumerate(columns.qi, 1))
    return [*sets, *map(PlainValue, columns.kept)]


def coded_steps(request: Randomization, columns: Columns) -> dict[str, Step]:
    """The steps that number the rows and replace every protected value by its code."""
    row = exp.alias_(exp.Window(this=exp.RowNumber()), "row_number")
    blocks = [columns.qi[start : start + BLOCK] for start in range(0, len(columns.qi), BLOCK)]
    return {
        # on its own: what numbers rows keeps one thread busy, and the others waiting
        "numbered": Once(exp.select(row, *map(column, columns.coded)).from_("source")),
        **{f"block_{number}": coded_block(block) for number, block in enumerate(blocks, 1)},
        "coded": Once(coded_rows(request, columns, len(blocks))),
    }


BLOCK = 8
"""Columns that get their codes together. Each join passes on every column that there is: many joins would be slow."""


def coded_block(keys: Sequence[str]) -> exp.Select:
    """The codes of some columns, row by row."""
    codes = (exp.alias_(column("code", f"domain_{key}"), key) for key in keys)
    coded = exp.select(column("row_number", "numbered"), *codes).from_("numbered")
    for key in keys:
        same = exp.NullSafeEQ(this=column(key, "numbered"), expression=column("value", f"domain_{key}"))
        coded = coded.join(f"domain_{key}", on=same, join_type="left", copy=False)
    return coded


def coded_rows(request: Randomization, columns: Columns, blocks: int) -> exp.Select:
    """The rows of the source with codes for protected values, and a number."""
    kept = [column(key, "numbered") for key in columns.kept]
    codes = [column(key, f"block_{place // BLOCK + 1}") for place, key in enumerate(columns.qi)]
    number: exp.Expr = column("row_number", "block_1")
    if request.seed is not None:
        texts = (expression("CAST(:kept AS VARCHAR)", kept=value) for value in kept)
        keys = (exp.Ordered(this=key.copy(), desc=False, nulls_first=False) for key in (*codes, *kept, *texts))
        number = exp.Window(this=exp.RowNumber(), order=exp.Order(expressions=list(keys)))
    coded = exp.select(exp.alias_(number, "number"), *codes, *kept).from_("block_1")
    others = [f"block_{place}" for place in range(2, blocks + 1)] + ["numbered"] * bool(kept)
    for other in others:
        same = exp.EQ(this=column("row_number", "block_1"), expression=column("row_number", other))
        coded = coded.join(other, on=same, join_type="left", copy=False)
    return coded


def shuffled_rows() -> exp.Select:
    """The rows in an order that depends on the key, and on nothing that they hold."""
    return query(
        """
        SELECT coded.* FROM coded CROSS JOIN parameters
        ORDER BY _sqlanon_shuffle_keys(struct_extract(parameters.parameters, 'key'), coded.number) ASC, coded.number ASC
        """
    )


def assigned_rows(request: Randomization, columns: Columns) -> exp.Select:
    """The rows with sets for codes; SA901 for one that tells too much."""
    codes = exp.array(*(column(key, "shuffled") for key in columns.qi))
    sets = expression("_sqlanon_decoys(parameters.parameters, shuffled.number, :codes) AS sets", codes=codes)
    drawn = exp.select(sets, *(column(key, "shuffled") for key in columns.kept)).from_("shuffled")
    drawn = drawn.join("parameters", join_type="cross", copy=False)
    checked = exp.Case()
    for words, broken in telling_sets(request, columns):
        checked = checked.when(broken, broken_promise(words))
    if not checked.args.get("ifs"):
        return drawn
    kept = (column(key, "drawn") for key in columns.kept)
    rows = exp.select(exp.alias_(checked.else_(column("sets", "drawn")), "sets"), *kept).from_(drawn.subquery("drawn"))
    return rows.join("parameters", join_type="cross", copy=False).join("counts", join_type="cross", copy=False)


def telling_sets(request: Randomization, columns: Columns) -> Iterator[tuple[str, exp.Expr]]:
    """For each column with a bound t, the words and the condition of a set that moves beliefs by more."""
    protected = zip(columns.qi, request.protected, request.grounds, strict=True)
    for number, (key, (name, _, t), ground) in enumerate(protected, 1):
        if t is not None:
            change = expression(
                CHANGES[ground],
                counts=column(key, "counts"),
                items=exp.func("list_extract", column("sets", "drawn"), exp.Literal.number(number)),
                **{part: parameter(part_list, number) for part, part_list in PARTS.items()},
            )
            yield (
                broken_words("t", which=name, t=t),
                expression("coalesce(:change > :t + 1e-9, TRUE)", change=change, t=number_literal(t)),
            )


CHANGES = {
    "equal": """
        _sqlanon_belief_change(
            list_aggregate(list_select(:counts, :items), 'sum') / (SELECT count(*) FROM source), :size, :eta, :p
        )
    """,
    "ordered": "_sqlanon_ordered_change(:items, :counts, :p)",
}
"""How far a set moves what is believed of a row, by the distance between values."""
PARTS = {"size": "sizes", "eta": "etas", "p": "p"}
"""The properties of a column, and the list of the parameters that has each."""


def parameter(name: str, number: int) -> exp.Expr:
    """A parameter of a column, by its number."""
    listed = expression("struct_extract(parameters.parameters, :name)", name=text(name))
    return exp.func("list_extract", listed, exp.Literal.number(number))


def promise(request: Randomization) -> exp.Select:
    """One row: TRUE, or SA901 unless every row is there, and lists have the length that was promised."""
    kept = exp.Case().when(
        expression("(SELECT count(*) FROM source) <> (SELECT count(*) FROM coded)"),
        broken_promise("rows were lost or added on the way"),
    )
    for number, (name, l, _) in enumerate(request.protected, 1):
        if l is not None:
            short = expression("coalesce(:eta < :l, TRUE)", eta=parameter("etas", number), l=number_literal(l))
            words = broken_words("l", which=name, l=l)
            kept = kept.when(exp.select(short).from_("parameters").subquery(), broken_promise(words))
    return exp.select(exp.alias_(kept.else_(exp.true()), "kept"))


def broken_words(name: str, **parts: object) -> str:
    """The words of the model for a list that breaks a bound."""
    return next(bound.broken for bound in choose("randomize").promised if bound.name == name).format(**parts)
