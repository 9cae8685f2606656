"""Columns of any type can be quasi-identifiers, sensitive attributes and entities: against the plain-Python oracle.

DuckDB says which values of a column are the same, by their rank; the oracle works on the ranks.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from connections import TestConnection
from oracles import privacy as oracle
from oracles.privacy import Row

pytestmark = pytest.mark.oldest

TYPES = {
    "UBIGINT": ["0", "18446744073709551615", "18446744073709551614"],
    "BIGINT": ["9007199254740993", "9007199254740992", "-9007199254740993"],
    "HUGEINT": ["0", "170141183460469231731687303715884105727", "-5"],
    "FLOAT": ["'-0.0'", "'0.0'", "'nan'", "'inf'", "0.1"],
    "DOUBLE": ["'-0.0'", "'0.0'", "'nan'", "'-nan'", "'-inf'", "1e300"],
    "DECIMAL(38, 10)": ["1.1", "1.10", "-2"],
    "VARCHAR": ["'*'", "''", "'a'", "'A'", "'a '", "'NULL'", "'[*]'"],
    "VARCHAR COLLATE NOCASE": ["'*'", "'a'", "'A'", "'b'"],
    "VARCHAR COLLATE NOACCENT": ["'e'", "'é'", "'b'"],
    "BLOB": ["'\\x00'", "'*'", "'a'"],
    "BOOLEAN": ["true", "false"],
    "DATE": ["'2020-01-01'", "'infinity'", "'-infinity'"],
    "TIMESTAMP": ["'2020-01-01'", "'infinity'", "'2020-01-01 00:00:00.000001'"],
    "TIMESTAMPTZ": ["'2020-01-01 00:00:00+00'", "'2020-01-01 01:00:00+01'", "'infinity'"],
    "TIMESTAMP_NS": ["'2020-01-01'", "'2020-01-01 00:00:00.000000001'"],
    "TIME": ["'00:00:00'", "'24:00:00'", "'12:00:00'"],
    "TIMETZ": ["'00:00:00+00'", "'01:00:00+01'", "'12:00:00+02'"],
    "INTERVAL": ["'1 month'", "'30 days'", "'720 hours'", "'1 day'"],
    "UUID": ["'00000000-0000-0000-0000-000000000000'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"],
    "ENUM('z', 'a', '*')": ["'z'", "'a'", "'*'"],
    "INTEGER[]": ["[1]", "[1, NULL]", "[]", "[NULL]"],
    "VARCHAR[]": ["['*']", "['a']", "['a', 'b']"],
    "INTEGER[2]": ["[1, 2]", "[1, NULL]"],
    "STRUCT(lo INTEGER, hi INTEGER)": ["{'lo': 1, 'hi': 2}", "{'lo': NULL, 'hi': NULL}", "{'lo': 1, 'hi': NULL}"],
    "MAP(VARCHAR, INTEGER)": ["MAP {'a': 1}", "MAP {'b': 1}", "MAP {}"],
    "UNION(n INTEGER, s VARCHAR)": ["1", "'a'"],
    "BIT": ["'101'", "'0101'", "'1'"],
}
"""Values of each type, some of them equal though written otherwise."""
STAR = """
    CAST({0} AS VARCHAR) = '*' OR (typeof({0}) = 'VARCHAR[]' AND CAST({0} AS VARCHAR) = '[*]')
    OR (typeof({0}) LIKE 'STRUCT%' AND CAST({0} AS VARCHAR) = '{{''lo'': NULL, ''hi'': NULL}}')
"""


def store(con: TestConnection, kind: str) -> list[Row]:
    """A random table t(q, s, p) of one type, and its rows for the oracle."""
    random = Random(kind)
    con.execute(f"CREATE OR REPLACE TABLE t (q {kind}, s {kind}, p {kind})")
    for _ in range(30):
        values = ("NULL" if random.random() < 0.15 else random.choice(TYPES[kind]) for _ in range(3))
        con.execute(f"INSERT INTO t VALUES ({', '.join(values)})")
    ranks = (f"CASE WHEN {one} IS NOT NULL THEN dense_rank() OVER (ORDER BY {one} ASC NULLS LAST) END" for one in "qsp")
    found = con.rows(f"SELECT coalesce({STAR.format('q')}, FALSE), {', '.join(ranks)} FROM t")
    return [Row(("*" if star else q,), s, p) for star, q, s, p in found]


def exact(measure: Any) -> Any:
    return pytest.approx(float(measure), rel=1e-11) if isinstance(measure, Fraction | float) else measure


def answer(con: TestConnection, sql: str) -> dict[str, Any]:
    result = con.execute(sql)
    [row] = result.fetchall()
    return {column[0]: cell for column, cell in zip(result.description, row, strict=True)}


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("nulls", ["value", "wildcard", "exclude"])
def test_a_column_of_any_type_is_compared_as_its_type_compares(con: TestConnection, kind: str, nulls: str) -> None:
    rows = store(con, kind)
    classes = oracle.classes(rows, nulls, by_person=True)
    others = f"entity := 'p', nulls := '{nulls}'"
    found = answer(con, f"FROM privacy('t', ['q'], 's', {others})")
    ordered = found["t_ordered"] is not None
    expected = oracle.privacy(oracle.classes(rows, nulls), ordered)
    by_person = oracle.privacy(classes, ordered)
    expected |= {name: by_person[name] for name in ("k", "frequency_l", "alpha")}
    assert found == {name: exact(measure) for name, measure in expected.items()}
    risk = answer(con, f"FROM risk('t', ['q'], {others})")
    assert risk == {name: exact(measure) for name, measure in oracle.risk(classes, Fraction(1, 5)).items()}
    sizes = con.rows(f"SELECT size, top_count FROM equivalence_classes('t', ['q'], 's', {others})")
    assert sorted(sizes) == sorted((one.size, one.top_count) for one in classes)
