"""The content hash depends on every cell, on how often a row is there, and on nothing else."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import duckdb
import pytest
from connections import Row, TestConnection, quote, store
from hypothesis import given, settings
from hypothesis import strategies as st
from thorough import examples
from twins.content import content_hash, taxonomy_hash

from sqlanon import errors
from sqlanon.certificate import certify, file_reference
from sqlanon.certificate.content import content_statement
from sqlanon.statement.writer import write_statement

pytestmark = pytest.mark.oldest

NAMES = ("age", "Zip", "é", "group_id")
TEXT = st.one_of(st.none(), st.sampled_from(["", "-", "1:a", "a", "*", "NULL", "[a, b]", 'x"y', "a,b", "é\n", "😀"]))
ROW = st.tuples(TEXT, TEXT, TEXT, TEXT)
TABLES = st.lists(ROW, max_size=6)


def hash_of(con: TestConnection, rel: str) -> str:
    """The hash alone, which takes no arguments but the release."""
    statement = write_statement(content_statement(rel))
    ((digest, *_),) = con.rows(statement)
    return str(digest)


def literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def texts(con: TestConnection, rows: list[Any], name: str = "texts") -> str:
    """A table of texts; what it is called."""
    store(con, name, dict.fromkeys(NAMES, "VARCHAR"), rows)
    return name


@settings(max_examples=examples(8))
@given(rows=TABLES, data=st.data())
def test_the_hash_is_the_twins_whatever_the_order_of_rows(
    con: TestConnection, rows: list[Row], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(rows))
    assert hash_of(con, texts(con, shuffled)) == content_hash(NAMES, rows)


@settings(max_examples=examples(8))
@given(rows=st.lists(ROW, min_size=1, max_size=5), data=st.data())
def test_a_changed_cell_a_removed_row_and_a_row_more_each_change_it(
    con: TestConnection, rows: list[Row], data: st.DataObject
) -> None:
    number, column = data.draw(st.integers(0, len(rows) - 1)), data.draw(st.integers(0, len(NAMES) - 1))
    cell = data.draw(TEXT.filter(lambda text: text != rows[number][column]))
    changed = [*rows]
    changed[number] = (*rows[number][:column], cell, *rows[number][column + 1 :])
    variants = [rows, changed, rows[:number] + rows[number + 1 :], [*rows, rows[number]]]
    assert len({hash_of(con, texts(con, each)) for each in variants}) == 4


def test_values_that_change_places_change_it(con: TestConnection) -> None:
    straight = [("a", "b", "c", "1"), ("d", "e", "f", "2")]
    between_rows = [("d", "b", "c", "1"), ("a", "e", "f", "2")]
    between_columns = [("b", "a", "c", "1"), ("d", "e", "f", "2")]
    assert len({hash_of(con, texts(con, rows)) for rows in (straight, between_rows, between_columns)}) == 3


def test_the_order_of_columns_does_not_matter_and_their_names_do(con: TestConnection) -> None:
    name = texts(con, [("a", "b", "c", "1")])
    assert hash_of(con, name) == hash_of(con, '(SELECT group_id, "é", "Zip", age FROM texts)')
    assert hash_of(con, name) != hash_of(con, '(SELECT group_id, "é", "Zip" AS zip, age FROM texts)')


def test_a_table_without_rows_has_a_hash_of_its_columns(con: TestConnection) -> None:
    assert hash_of(con, texts(con, [])) == content_hash(NAMES, [])
    assert hash_of(con, "(SELECT age FROM texts)") == content_hash(["age"], [])


HOSTILE = (
    'a"b',
    "a'b",
    "_sqlanon_release",
    "cells",
    "names",
    "tbl",
    "rel",
    "checked",
    "rowid",
    "SELECT",
    " ",
    "é;--",
    "😀",
)


def test_hostile_names_are_names_like_others(con: TestConnection) -> None:
    store(con, 'my "t', dict.fromkeys(HOSTILE, "VARCHAR"), [HOSTILE, HOSTILE[::-1]])
    expected = content_hash(HOSTILE, [HOSTILE, HOSTILE[::-1]])
    assert hash_of(con, quote('my "t')) == expected
    qi, sa = ", ".join(map(literal, HOSTILE[:-1])), literal(HOSTILE[-1])
    assert con.rows(f'SELECT content_hash, holds FROM certify(\'"my ""t"\', [{qi}], {sa}, k := 1)') == [
        (expected, True)
    ]


@pytest.mark.parametrize("threads", [1, 4])
def test_threads_do_not_matter(con: TestConnection, threads: int) -> None:
    """5,000 rows: several of DuckDB's vectors, and several rows in a bucket."""
    con.execute("CREATE OR REPLACE TABLE many AS SELECT i % 1700 AS age, i % 7 = 0 AS odd FROM range(5000) AS r(i)")
    con.execute(f"SET threads = {threads}")
    rows = [(str(i % 1700), str(i % 7 == 0).lower()) for i in range(5000)]
    assert hash_of(con, "many") == hash_of(con, "(FROM many ORDER BY random())") == content_hash(["age", "odd"], rows)
    con.execute("SET threads = 1")


TYPED = """
    SELECT
        i AS age, CAST(i / 3 AS DECIMAL(9, 2)) AS part, i / 7 AS real, CAST(i / 7 AS FLOAT) AS short,
        DATE '2024-02-27' + CAST(i AS INTEGER) AS seen, TIME '23:59:59.25' AS clock,
        TIMESTAMP '2024-02-27 23:59:59.5' + i * INTERVAL 1 HOUR AS moment,
        CAST('2024-02-27 23:59:59+02' AS TIMESTAMPTZ) + i * INTERVAL 1 HOUR AS instant,
        i % 2 = 0 AS odd, CAST('nan' AS DOUBLE) AS nothing, CAST('-inf' AS DOUBLE) AS below,
        CAST('00000000-0000-0000-0000-00000000000a' AS UUID) AS id,
        list_extract(
            ['', NULL, 'a,b', 'say "x"', 'two' || chr(10) || 'lines', ' 007 ', 'é😀', 'NULL', '[a]'], i + 1
        ) AS words,
        [i, NULL, 2] AS numbers, ['a, b', 'c', '*', '', 'it''s', NULL] AS labels, {'lo': i, 'hi': i + 2} AS range,
        {'lo': DATE '2024-01-01', 'hi': NULL} AS dates
    FROM range(9) AS r(i)
"""


@pytest.mark.parametrize("ending", ["parquet", "csv", "tsv", "csv.gz", "duckdb"])
def test_a_round_trip_through_a_file_keeps_it(con: TestConnection, tmp_path: Path, ending: str) -> None:
    con.execute(f"CREATE OR REPLACE TABLE typed AS {TYPED}")
    path = tmp_path / f"it's.{ending}"
    if ending == "duckdb":
        con.execute(f"ATTACH {literal(str(path))} AS other; CREATE TABLE other.typed AS FROM typed")
        assert hash_of(con, "other.typed") == hash_of(con, "typed")
        con.execute("DETACH other")
        return
    separator = ", DELIMITER '\t'" if ending == "tsv" else ""
    form = "PARQUET" if ending == "parquet" else f"CSV, HEADER{separator}"
    con.execute(f"COPY typed TO {literal(str(path))} (FORMAT {form})")
    assert hash_of(con, file_reference(path)) == hash_of(con, "typed")
    assert hash_of(con, f"(FROM {file_reference(path)} ORDER BY age DESC LIMIT 8)") != hash_of(con, "typed")


ZONES = ("UTC", "America/New_York", "Europe/Amsterdam", "Asia/Kolkata")
"""Before 1900, the offsets of the second and third have seconds, which DuckDB does not write."""


def hashes_by_zone(con: TestConnection, rel: str) -> set[str]:
    """The hash in each time zone."""
    hashes = set()
    for zone in ZONES:
        con.execute(f"SET TimeZone = '{zone}'")
        hashes.add(hash_of(con, rel))
    con.execute("RESET TimeZone")
    return hashes


def test_moments_are_hashed_in_utc(con: TestConnection) -> None:
    """Alone, as the ends of a range, and in lists; in every time zone, long ago too."""
    con.execute(
        """
        CREATE OR REPLACE TABLE moments AS
        SELECT instant AS age, {'lo': instant, 'hi': instant} AS range, [instant] AS list, array_value(instant) AS one
        FROM (
            VALUES
                (TIMESTAMPTZ '2024-01-01 10:00:00.5+02'), (TIMESTAMPTZ '1874-12-07 18:40:00+00'), (NULL), ('infinity')
        ) AS v(instant)
        """
    )
    moments = ["2024-01-01 08:00:00.5+00", "1874-12-07 18:40:00+00"]
    lists = [*(f"['{each}']" for each in moments), "[NULL]", "[infinity]"]
    rows = [
        *((each, f"{{'lo': '{each}', 'hi': '{each}'}}") for each in moments),
        (None, "{'lo': NULL, 'hi': NULL}"),
        ("infinity", "{'lo': infinity, 'hi': infinity}"),
    ]
    expected = [(*row, written, written) for row, written in zip(rows, lists, strict=True)]
    assert hashes_by_zone(con, "moments") == {content_hash(["age", "range", "list", "one"], expected)}


@settings(max_examples=examples(20))
@given(moments=st.lists(st.datetimes(dt.datetime(1, 1, 2), dt.datetime(9999, 12, 30)), min_size=1, max_size=5))
def test_every_moment_is_hashed_as_it_is_in_utc(con: TestConnection, moments: list[dt.datetime]) -> None:
    written = [
        f"{each:%H:%M:%S}" + (f".{each.microsecond:06d}".rstrip("0") if each.microsecond else "") + "+00"
        for each in moments
    ]
    rows = [
        (f"{each.year:04d}-{each.month:02d}-{each.day:02d} {clock}",)
        for each, clock in zip(moments, written, strict=True)
    ]
    listed = ", ".join(f"(TIMESTAMPTZ {literal(text)})" for (text,) in rows)
    con.execute(f"CREATE OR REPLACE TABLE moments AS FROM (VALUES {listed}) AS v(age)")
    assert hashes_by_zone(con, "moments") == {content_hash(["age"], rows)}


def test_releases_that_are_seconds_apart_differ(con: TestConnection) -> None:
    """In New York, 1850 was 4 hours, 56 minutes and 2 seconds behind: DuckDB writes -04:56."""
    con.execute("SET TimeZone = 'America/New_York'")
    hashes = {
        hash_of(con, f"(SELECT make_timestamptz(-3000000000000000 + {seconds} * 1000000) AS age)")
        for seconds in range(60)
    }
    con.execute("RESET TimeZone")
    assert len(hashes) == 60


NANOSECONDS = (
    "1850-01-01 00:00:00.999999999",
    "1850-01-01 00:00:00.123456789",
    "1969-12-31 23:59:59.999999999",
    "1970-01-01 00:00:00.000000001",
    "1970-01-01 00:00:00.0000005",
    "1969-12-31 23:59:59.9999995",
    "2024-02-29 23:59:59.1",
    "2024-02-29 23:59:59",
)


def test_moments_are_hashed_to_the_nanosecond(con: TestConnection) -> None:
    if not con.rows("SELECT 1 FROM duckdb_types() WHERE lower(type_name) = 'timestamptz_ns'"):
        pytest.skip("this DuckDB has no TIMESTAMPTZ_NS")
    listed = ", ".join(f"(CAST('{each}+00' AS TIMESTAMPTZ_NS))" for each in NANOSECONDS)
    con.execute(f"CREATE OR REPLACE TABLE moments AS FROM (VALUES {listed}, (NULL)) AS v(age)")
    rows = [(f"{each}+00",) for each in NANOSECONDS]
    rows_of_utc = con.rows("SET TimeZone = 'UTC'; SELECT CAST(age AS VARCHAR) FROM moments")
    con.execute("RESET TimeZone")
    assert sorted(rows_of_utc, key=str) == sorted([*rows, (None,)], key=str), "as DuckDB writes them in UTC"
    assert hashes_by_zone(con, "moments") == {content_hash(["age"], [*rows, (None,)])}


def test_a_release_in_a_file_of_another_zone_keeps_its_hash(con: TestConnection, tmp_path: Path) -> None:
    con.execute("SET TimeZone = 'Europe/Amsterdam'")
    con.execute(
        "CREATE OR REPLACE TABLE moments AS SELECT make_timestamptz(-3000000000000000 + i) AS age FROM range(9) AS r(i)"
    )
    con.execute(f"COPY moments TO {literal(str(tmp_path / 'a.parquet'))} (FORMAT parquet)")
    expected = hash_of(con, "moments")
    con.execute("RESET TimeZone")
    assert hash_of(con, file_reference(tmp_path / "a.parquet")) == expected


@pytest.mark.parametrize(
    "value",
    [
        *(
            "1",
            "'x'",
            "NULL",
            "DATE '2024-01-01'",
            "TIMESTAMP '2024-01-01'",
            "TIME '10:00'",
            "INTERVAL 1 DAY",
            "'[1]'::JSON",
        ),
        *(
            "[1]",
            "[[1]]",
            "[1, 2]::INTEGER[2]",
            "MAP{'a': 1}",
            "{'a': 1}",
            "{'lo': 1, 'hi': 2}",
            "{'LO': 1}",
            "row(1, 2)",
        ),
        *("{'lo': DATE '2024-01-01', 'hi': NULL}", "{'lo': 'a', 'hi': 'b'}", "[{'lo': 1, 'hi': 2}]", "1::VARIANT"),
        *("union_value(a := 1)", "'101'::BIT", "'a'::BLOB", "1::HUGEINT", "1::BIGNUM", "'a'::ENUM('a')"),
    ],
)
def test_a_cell_of_any_other_type_is_the_text_that_duckdb_writes(con: TestConnection, value: str) -> None:
    ((text,),) = con.rows(f"SELECT CAST({value} AS VARCHAR)")
    assert hash_of(con, f"(SELECT {value} AS age)") == content_hash(["age"], [(text,)])


@pytest.mark.parametrize(
    "value", ["{'at': moment}", "[[moment]]", "map(['at'], [moment])", "union_value(at := moment)", "{'lo': [moment]}"]
)
def test_moments_deep_inside_have_no_hash(con: TestConnection, value: str) -> None:
    """Their text is another one in every time zone, and before 1900 it lacks the seconds of the offset."""
    con.execute(
        f"""
        CREATE OR REPLACE TABLE moments AS
        SELECT {value} AS deep, 1 AS age FROM (SELECT TIMESTAMPTZ '1850-01-01 00:00:28+00' AS moment)
        """
    )
    with pytest.raises(errors.SqlanonError, match=r"\[SA104\] a column has moments with a time zone"):
        certify(con.connection, "moments", ["age"])
    con.execute("CREATE OR REPLACE TABLE moments AS SELECT {'at': TIMETZ '10:00:00+02'} AS deep, 1 AS age")
    assert hash_of(con, "moments")


@pytest.mark.skipif(duckdb.__version__.startswith("1."), reason="no table has a VARIANT before DuckDB 2.0")
@pytest.mark.parametrize("value", ["moment::VARIANT", "{'at': moment}::VARIANT", "[moment::VARIANT]"])
@pytest.mark.parametrize("zone", ["UTC", "Asia/Kathmandu"])
def test_moments_in_a_variant_have_no_hash(con: TestConnection, value: str, zone: str) -> None:
    con.execute(
        f"""
        CREATE OR REPLACE TABLE variants AS
        SELECT {value} AS deep, 1 AS age FROM (SELECT TIMESTAMPTZ '1850-01-01 00:00:28+00' AS moment)
        """
    )
    con.execute(f"SET TimeZone = '{zone}'")
    with pytest.raises(errors.SqlanonError, match=r"\[SA104\] a column has moments with a time zone"):
        certify(con.connection, "variants", ["age"])


def test_settings_of_the_session_do_not_matter(con: TestConnection) -> None:
    """Two columns whose order depends on case, and several rows in a bucket."""
    con.execute(
        """
        CREATE OR REPLACE TABLE letters AS
        SELECT list_extract(['a', 'B'], 1 + i % 2) || i AS "B", i AS a FROM range(5000) AS r(i)
        """
    )
    expected = hash_of(con, "letters")
    con.execute("SET default_order = 'DESC'; SET default_null_order = 'NULLS FIRST'; SET default_collation = 'NOCASE'")
    assert hash_of(con, "letters") == expected
    con.execute("RESET default_order; RESET default_null_order; RESET default_collation")


def test_the_hash_of_a_taxonomy_is_that_of_its_paths_in_a_table_or_a_file(con: TestConnection, tmp_path: Path) -> None:
    paths = [("a", "A", "*"), ("b", "A", "*"), ("c,d", "C", "*")]
    store(con, "levels", {"z": "VARCHAR", "y": "VARCHAR", "x": "VARCHAR"}, [*paths, paths[0]])
    file = tmp_path / "levels.csv"
    file.write_text("\n".join(";".join(path) for path in paths[::-1]), encoding="utf-8")
    name = texts(con, [("a", "b", "c", "1")])
    for taxonomy in ("levels", str(file)):
        ((hashes,),) = con.rows(
            f"SELECT taxonomies FROM certify('{name}', ['age'], taxonomy := {{'age': {literal(taxonomy)}}})"
        )
        assert hashes == {"age": taxonomy_hash(paths)}
