"""Arrow functions called by hand, with what no statement of sqlanon hands over: a coded error, never a crash."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from connections import TestConnection
from sqlanon.udfs import ArrowFunction

import sqlanon
from sqlanon import udfs
from sqlanon.errors import SqlanonError

Call = list[list[Any]]
"""The values that were handed over for one row, argument by argument."""

JUNK: list[Any] = [None, -1, 2_000_000_000, 2**40, 1.5, "x", "", [], {}, [None], [1], {"a": 1}, True, float("nan")]
MUTATIONS = 150
ALGORITHMS = ("hilbert", "idistance", "mondrian", "anatomy", "bsgi", "tp", "tp_plus")
TREE = "taxonomy := {'city': 'levels'}"
LISTED = "l := {'age': 2}, t := {'city': 0.3}"
STATEMENTS = (
    *(
        f"ldiverse('t', ['age', 'city'], 's', 2, algo := '{algo}', {TREE}, nulls := 'wildcard', keep := ['id'])"
        for algo in ALGORITHMS
    ),
    "ldiverse('t', ['age', 'city'], 'half', 2, algo := 'matching')",
    "ldiverse('t', ['age'], ['s', 'half'], 2, algo := 'bsgi', options := {'individual': 'id', 'exact': true})",
    "kanonymous('t', ['age', 'city', 'price'], 3)",
    "kanonymous('t', ['age', 'city'], 3, algo := 'topdown')",
    "tp_phases('t', ['age', 'city'], 's', 2)",
    f"kanonymous('t', ['age', 'city'], 3, algo := 'incognito', {TREE}, options := {{'suppress': 0.3}})",
    "ldiverse('t', ['age', 'city'], 's', 2, algo := 'tds', options := {'c': 3, 'class': 'half'})",
    f"taudiverse('t', ['age', 'city'], ['s', 'half'], 0.6, 2, {TREE})",
    f"full_domain_levels('t', ['age', 'city'], 's', l := 2, {TREE})",
    f"best_l('t', ['age', 'city'], 's', max_gcp := 0.9, {TREE})",
    f"frontier('t', ['age', 'city'], 's', l := [2], {TREE})",
    f"loss_bound('t', ['age', 'city'], 's', l := 2, effort := 2, {TREE})",
    f"info_loss('t', 'r', ['age', 'city', 'price'], {TREE})",
    f"cube_kl('t', 'r', ['age', 'city', 'price'], 's', 2, {TREE})",
    f"count_query_error('t', 'r', ['age', 'city', 'price'], 's', 2, queries := 5, {TREE})",
    f"count_query_error('t', 'r', ['age', 'city'], 's', predicates := '(SELECT ''age < 3'' AS predicate)', {TREE})",
    f"randomize('t', {LISTED}, keep := ['id'], seed := 1)",
    "reconstruct('lists', 'parameters', ['age', 'city'])",
    "estimate('lists', 'SELECT age, count(*) FROM t WHERE age > 2 OR city IS NULL GROUP BY 1', params := 'parameters')",
    "distribution_distance('t', 'lists', 'parameters', ['age', 'city'])",
    "randomization_privacy('lists', 'parameters')",
    "randomize('t', t := {'age': 0.3}, seed := 1, options := {'ground': {'age': 'ordered'}})",
    "quasi_identifiers('t', max_size := 2)",
    "quasi_identifiers('t', columns := ['age', 'city'])",
    f"compare_releases('t', 'r', ['age', 'city', 'price'], 's', detail := 'pairs', l := 3, {TREE})",
    "census(10)",
    "wide_census(10)",
)


@pytest.fixture(scope="module")
def calls() -> dict[str, list[Call]]:
    """The calls that statements of sqlanon make, by function."""
    seen: dict[str, list[Call]] = {udf.name: [] for udf in udfs.ALL}
    with pytest.MonkeyPatch.context() as patched:
        for udf in udfs.ALL:
            file = module(udf)
            patched.setattr(file, "call", watch(file.call, seen[udf.name]))
        con = sqlanon.connect()
        con.execute("""
            CREATE TABLE t AS SELECT
                i AS id, i % 7 AS age, CASE WHEN i % 5 = 0 THEN NULL ELSE 'c' || i % 3 END AS city, 'd' || i % 4 AS s,
                i % 2 AS half, CAST(1000000000000.5 + i AS DECIMAL(20, 3)) AS price
            FROM range(24) AS r(i);
            CREATE TABLE levels AS FROM (VALUES ('c0', 'x', '*'), ('c1', 'x', '*'), ('c2', 'y', '*')) AS v;
        """)
        con.execute(f"CREATE TABLE r AS FROM ldiverse('t', ['age', 'city', 'price'], 's', 2, {TREE})")
        con.execute(f"CREATE TABLE lists AS FROM randomize('t', {LISTED}, seed := 1)")
        con.execute(f"CREATE TABLE parameters AS FROM randomize_params('t', {LISTED})")
        for statement in STATEMENTS:
            con.execute(f"FROM {statement}").fetchall()
        con.close()
    return seen


def module(udf: ArrowFunction) -> Any:
    """The file that DuckDB has the function of."""
    return import_module(f"sqlanon.udfs.{udf.file}")


def watch(call: Any, seen: list[Call]) -> Any:
    """The function, with a note of what it is called with."""

    def note(*arguments: pa.ChunkedArray) -> pa.Array:
        seen.append([plain(argument.combine_chunks()[:8]) for argument in arguments])
        return call(*arguments)

    return note


def plain(values: pa.Array) -> list[Any]:
    """The values as Python has them. DuckDB 1.4 gives the fields of `row(…)` no names, which dictionaries need."""
    if pa.types.is_list(values.type) and pa.types.is_struct(values.type.value_type):
        structs = values.values
        names = [field.name or f"element_{number}" for number, field in enumerate(structs.type)]
        named = pa.StructArray.from_arrays(structs.flatten(), names=names, mask=structs.is_null())
        values = pa.ListArray.from_arrays(values.offsets, named, mask=values.is_null())
    listed: list[Any] = values.to_pylist()
    return listed


def paths(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every part of a nested value."""
    yield path
    for key, part in tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ():
        yield from paths(part, (*path, key))


def mutate(call: Call, draw: random.Random) -> Call:
    """A copy in which one part is missing, doubled, another number, or something else; or a field of every row is."""
    copied = copy.deepcopy(call)
    *way, last = draw.choice([path for path in paths(copied) if path and path[-1] != "queries"])
    parent: Any = copied
    for key in way:
        parent = parent[key]
    how, junk = draw.randrange(5), draw.choice(JUNK)
    rows = parent if isinstance(parent, list) else []
    if how == 0 and len(way) > 1:
        del parent[last]
    elif how == 1 and rows and len(way) > 1:
        rows.insert(last, copy.deepcopy(rows[last]))
    elif how == 2 and isinstance(parent[last], int):
        parent[last] += draw.choice([1, -1, 100])
    elif how == 3 and rows and isinstance(rows[0], dict) and rows[0]:
        name = draw.choice(list(rows[0]))
        for row in rows:
            row[name] = junk
    else:
        parent[last] = junk
    return copied


@pytest.mark.parametrize("udf", udfs.ALL, ids=lambda udf: udf.name)
def test_whatever_is_handed_over_is_answered_or_refused_with_a_code(
    udf: ArrowFunction, calls: dict[str, list[Call]]
) -> None:
    draw = random.Random(5)
    answered = refused = 0
    for _ in range(MUTATIONS):
        call = mutate(draw.choice(calls[udf.name]), draw)
        try:
            arguments = [pa.chunked_array([pa.array(argument)]) for argument in call]
        except (pa.ArrowException, TypeError, OverflowError):  # no column of DuckDB is like that
            continue
        try:
            module(udf).call(*arguments)
            answered += 1
        except SqlanonError:
            refused += 1
    assert answered and refused


def answer_of(call: str) -> str:
    """A statement that calls a function as ours do: problems become errors."""
    return f"SELECT _sqlanon._sqlanon_answer({call})"


CODED = {
    "a code far outside its domain": ("_sqlanon_groups", "[{'qi_1': 2000000000}, {'qi_1': 0}]"),
    "a negative code": ("_sqlanon_groups", "[{'qi_1': -1}, {'qi_1': 0}]"),
    "a code beyond 32 bits": ("_sqlanon_groups", "[{'qi_1': 4294967296}, {'qi_1': 0}]"),
    "a code that is text": ("_sqlanon_groups", "[{'qi_1': 'a'}, {'qi_1': 'b'}]"),
    "a missing column": ("_sqlanon_groups", "[{'qi_2': 0}, {'qi_2': 0}]"),
    "a row that is NULL": ("_sqlanon_groups", "[{'qi_1': 0}, NULL]"),
    "no rows but a number": ("_sqlanon_groups", "5"),
    "a kept code that is NULL": ("_sqlanon_groups", "[{'qi_1': 0, 'keep_1': NULL::INTEGER}, {'qi_1': 0, 'keep_1': 0}]"),
    "a sensitive code far outside": ("_sqlanon_tp_phases", "[{'qi_1': 0, 'sa_1': 2000000000}, {'qi_1': 1, 'sa_1': 0}]"),
    "a sensitive code that is NULL": ("_sqlanon_tp_phases", "[{'qi_1': 0, 'sa_1': NULL}, {'qi_1': 1, 'sa_1': 0}]"),
    "a wildcard for frontier": ("_sqlanon_frontier", "[{'qi_1': NULL, 'sa_1': 1}, {'qi_1': 1, 'sa_1': 0}]"),
    "a code outside for best_l": ("_sqlanon_strongest", "[{'qi_1': 7, 'sa_1': 1}, {'qi_1': 1, 'sa_1': 0}]"),
}
REQUESTS = {
    "_sqlanon_groups": "{'function': 'kanonymous', 'algo': 'hilbert', 'parameters': {'k': 2}, 'seed': 0, "
    "'recode': 'generalize', 'options': NULL}",
    "_sqlanon_tp_phases": "{'function': 'ldiverse', 'algo': 'tp', 'parameters': {'l': 2}, 'recode': 'suppress'}",
    "_sqlanon_frontier": "{'function': 'ldiverse', 'algo': 'hilbert', 'parameters': {'l': 2}, 'seed': 0, "
    "'recode': 'generalize'}",
    "_sqlanon_strongest": "{'function': 'ldiverse', 'algo': 'hilbert', 'parameters': {'l': 2}, 'seed': 0, "
    "'recode': 'generalize', 'max_gcp': 0.5}",
}


@pytest.mark.parametrize("what", CODED)
def test_codes_are_checked_against_their_domain(con: TestConnection, what: str) -> None:
    function, rows = CODED[what]
    qi = "{'column': 'age', 'role': 'qi', 'type': 'INTEGER', 'kind': 'range', 'domain': [1, 2], 'labels': ['1', '2']}"
    sa = (
        ", 'sa_1': {'column': 's', 'role': 'sa', 'type': 'INTEGER', 'kind': 'range', 'labels': ['1', '2']}"
        if "sa_1" in rows
        else ""
    )
    keep = ", 'keep_1': {'column': 'k', 'role': 'keep', 'type': 'INTEGER', 'kind': 'kept'}" if "keep_1" in rows else ""
    with pytest.raises(duckdb.Error, match=r"\[SA102\] rows: .*not to be called"):
        con.execute(answer_of(f"{function}({REQUESTS[function]}, {rows}, {{'qi_1': {qi}{sa}{keep}}})")).fetchall()


@pytest.mark.parametrize(
    ("k", "said"),
    [("0", "k = 0 is out of range"), ("NULL", "k must be a whole number"), ("'x'", "k must be a whole number")],
)
def test_a_request_is_checked(con: TestConnection, k: str, said: str) -> None:
    qi = "{'column': 'age', 'role': 'qi', 'type': 'INTEGER', 'kind': 'range', 'domain': [1, 2]}"
    request = REQUESTS["_sqlanon_groups"].replace("'k': 2", f"'k': {k}")
    with pytest.raises(duckdb.Error, match=rf"\[SA102\] {said}"):
        con.execute(
            answer_of(f"_sqlanon_groups({request}, [{{'qi_1': 0}}, {{'qi_1': 1}}], {{'qi_1': {qi}}})")
        ).fetchall()
