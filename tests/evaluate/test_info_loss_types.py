"""The length of a range, whatever type the column has."""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

import pytest
from connections import TestConnection, store
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.loss import Attribute
from thorough import examples

from .losses import check, one, table

pytestmark = pytest.mark.oldest


@pytest.mark.parametrize("format", ["text", "typed"])
def test_what_is_no_number_is_a_whole_range_away(con: TestConnection, format: str) -> None:
    values = [-math.inf, 1.0, 2.0, 5.0, math.inf, math.nan, math.nan, None]
    table(con, "t", "real DOUBLE", *[(value,) for value in values])
    for k in (1, 2, 3):
        con.execute(f"CREATE OR REPLACE TABLE r AS FROM kanonymous('t', ['real'], {k}, format := '{format}')")
        check(con, [Attribute("real", values, float)], {}, None)
    cells = [
        "[-inf, 1.0]", "[1.0, 2.0]", "[2.0, inf]", "[5.0, nan]", "[inf, nan]", "nan", "inf", "*",
    ]  # fmt: skip
    table(con, "r", "real VARCHAR", *[(cell,) for cell in cells])
    answer = check(con, [Attribute("real", values, float)], {}, None)
    # 1 … 5 are 4 long: [1, 2] loses a quarter, single values nothing, whatever reaches beyond everything
    assert answer["gcp"] == pytest.approx((1 + 1 / 4 + 1 + 1 + 1 + 0 + 0 + 1) / 8)


def test_endless_dates_are_a_whole_range_away(con: TestConnection) -> None:
    con.execute("CREATE OR REPLACE TABLE t AS SELECT unnest(['2024-01-01', '2024-01-11', 'infinity'])::DATE AS day")
    table(con, "r", "day VARCHAR", ("[2024-01-01, 2024-01-06]",), ("[2024-01-11, infinity]",), ("infinity",))
    answer = one(con, "FROM info_loss('t', 'r', ['day'])")
    assert answer["gcp"] == pytest.approx((1 / 2 + 1 + 0) / 3)
    assert answer["information"] == pytest.approx((1 + 1 / 2 + 1) / 3)


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("BIGINT", [2**62, 2**62 + 1, 2**62 + 4]),
        ("UBIGINT", [2**64 - 5, 2**64 - 4, 2**64 - 1]),
        ("DECIMAL(10, 2)", ["1.10", "1.20", "1.50"]),
        ("FLOAT", ["0.5", "0.75", "1.5"]),
        ("DECIMAL(18, 4)", [f"99999999999000.000{i}" for i in (1, 2, 5)]),
        ("DECIMAL(38, 0)", ["9" * 37 + str(i) for i in (1, 2, 5)]),
        ("HUGEINT", [10, 11, 14]),
        ("HUGEINT", [2**127 - 5, 2**127 - 4, 2**127 - 1]),
        ("HUGEINT", [-(2**127), -(2**127) + 1, -(2**127) + 4]),
        ("UHUGEINT", [2**128 - 5, 2**128 - 4, 2**128 - 1]),
        ("BIGNUM", [10**400 + 1, 10**400 + 2, 10**400 + 5]),
        ("BIGNUM", [-(10**400), -(10**400) // 2, 10**400]),
        ("TIME_NS", [f"10:00:00.00000000{i}" for i in (1, 2, 5)]),
        ("INTERVAL", ["360 days", "1 year 2 days", "368 days"]),
        ("INTERVAL", [f"170000000 years 00:00:00.00000{i}" for i in (1, 2, 5)]),
        ("DATE", [f"5000000-01-0{i}" for i in (1, 2, 5)]),
        ("TIMESTAMP", [f"290000-01-01 00:00:00.00000{i}" for i in (1, 2, 5)]),
        ("TIME", ["10:00:00", "10:15:00", "11:00:00"]),
        ("INTERVAL", ["1 day", "2 days", "5 days"]),
        ("TIMESTAMP_NS", [f"2024-01-01 00:00:00.00000000{i}" for i in (1, 2, 5)]),
        ("TIMESTAMP_S", [f"2024-01-01 00:00:0{i}" for i in (1, 2, 5)]),
        ("TIMESTAMPTZ", [f"2024-01-01 00:00:0{i}+00" for i in (1, 2, 5)]),
    ],
)
@pytest.mark.parametrize("format", ["text", "typed"])
def test_every_measured_type_has_a_length(con: TestConnection, kind: str, values: list[Any], format: str) -> None:
    # the second of three values is a quarter of the way from the first to the last
    listed = [str(value) for value in values] if kind == "BIGNUM" else values
    con.execute(f"CREATE OR REPLACE TABLE t AS SELECT unnest({listed * 2})::{kind} AS q").fetchall()
    con.execute(f"CREATE OR REPLACE TABLE r AS FROM kanonymous('t', ['q'], 4, format := '{format}')")
    assert one(con, "FROM attribute_loss('t', 'r', ['q'])")["ncp"] == 1.0
    con.execute(f"CREATE OR REPLACE TABLE r AS FROM kanonymous('t', ['q'], 2, format := '{format}')")
    assert one(con, "FROM info_loss('t', 'r', ['q'])")["information"] == 1.0
    part = f"(SELECT q FROM t WHERE q <> ''{values[2]}''::{kind})"
    con.execute(f"CREATE OR REPLACE TABLE r AS FROM kanonymous('{part}', ['q'], 4, format := '{format}')")
    answer = one(con, "FROM info_loss('t', 'r', ['q'])")
    assert answer["gcp"] == pytest.approx((4 / 4 + 2) / 6)
    assert answer["information"] == pytest.approx((4 / 2) / 6)


wide_numbers = st.one_of(
    st.tuples(st.just("HUGEINT"), st.just(0), st.integers(-(2**127), 2**127 - 1)),
    st.tuples(st.just("BIGNUM"), st.just(0), st.sampled_from([10**400, -(10**400), 10**30, 10**17])),
    st.tuples(st.just("DECIMAL(38, 9)"), st.just(9), st.integers(-(10**38) + 10, 10**38 - 10)),
)


@settings(deadline=None, max_examples=examples(30))
@given(wide_numbers, st.lists(st.integers(-9, 9), min_size=4, max_size=8), st.booleans())
def test_neighbours_keep_their_distance_whatever_digits_they_have(
    con: TestConnection, start: tuple[str, int, int], steps: list[int], typed: bool
) -> None:
    kind, scale, middle = start
    reach = {"HUGEINT": 2**127, "DECIMAL(38, 9)": 10**38}.get(kind, 10**500)
    numbers = [min(max(middle + step, -reach + 1), reach - 1) for step in steps]
    texts = [str(Decimal(number).scaleb(-scale, Context(prec=500))) for number in numbers]
    store(con, "t", {"q": kind}, [(f"{Decimal(text):f}",) for text in texts])
    con.execute(
        f"CREATE OR REPLACE TABLE r AS FROM kanonymous('t', ['q'], 2, format := '{'typed' if typed else 'text'}')"
    )
    groups: dict[int, list[Fraction]] = {}
    ends = "unnest([q.lo, q.hi])" if typed else "unnest(string_split(trim(q, '[]'), ', '))"
    for group_id, end in con.rows(f"SELECT group_id, CAST({ends} AS VARCHAR) FROM r"):
        groups.setdefault(group_id, []).append(Fraction(end))
    whole = max(map(Fraction, texts)) - min(map(Fraction, texts))
    sizes = dict(con.rows("SELECT group_id, count(*) FROM r GROUP BY ALL"))
    lost = sum(sizes[group_id] * (max(ends) - min(ends)) for group_id, ends in groups.items())
    expected = float(lost / whole / len(texts)) if whole else 0.0
    assert one(con, "FROM info_loss('t', 'r', ['q'])")["gcp"] == pytest.approx(expected, rel=1e-12)
    ordered = sorted(map(Fraction, texts))
    best = [Fraction(0), *[Fraction(10**600)] * len(ordered)]
    for end in range(2, len(ordered) + 1):  # groups of two or three neighbours: no cut loses less
        best[end] = min(
            best[end - size] + size * (ordered[end - 1] - ordered[end - size]) for size in (2, 3) if size <= end
        )
    assert lost == best[-1]
