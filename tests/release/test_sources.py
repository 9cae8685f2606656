"""Sources that are not tables: files, data frames, what changes whenever it is read."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pandas as pd
import pyarrow as pa
from connections import TestConnection, store

from .contract import COLUMNS, TYPES, by_group, release


def test_files_are_sources_by_their_path(con: TestConnection, tmp_path: Path) -> None:
    for number in (1, 2):
        con.execute(f"COPY (SELECT i % 5 AS age FROM range(20) AS r(i)) TO '{tmp_path}/part{number}.parquet'")
    for path in (f"{tmp_path}/part1.parquet", f"{tmp_path}/*.parquet", f"''{tmp_path}/part1.parquet''"):
        [(rows,)] = con.rows(f"SELECT count(*) FROM kanonymous('{path}', ['age'], 2)")
        assert rows == (40 if "*" in path else 20)
    for path in (f"{tmp_path}/part1.parquet; DROP TABLE t", f"{tmp_path}/part1"):
        assert "[SA103]" in con.refusal(f"FROM kanonymous('{path}', ['age'], 2)")


def test_data_frames_and_arrow_tables_are_sources(con: TestConnection) -> None:
    rows = [(i, i, "ab"[i % 2], i % 3) for i in range(30)]
    store(con, "t", TYPES, rows)
    expected = release(con, "FROM ldiverse('t', ['num', 'cat'], 'sa', 3)")
    columns = dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True))
    frame = pd.DataFrame(columns)
    arrow = pa.table(columns)
    reader = pa.RecordBatchReader.from_batches(arrow.schema, arrow.to_batches(max_chunksize=7))
    assert len(frame) == arrow.num_rows == 30
    assert con.execute("FROM ldiverse('frame', ['num', 'cat'], 'sa', 3)").fetchall() == expected
    assert con.execute("FROM ldiverse('arrow', ['num', 'cat'], 'sa', 3)").fetchall() == expected
    assert reader is not None
    assert con.execute("FROM ldiverse('reader', ['num', 'cat'], 'sa', 3)").fetchall() == expected, "read once"


def test_a_pandas_category_is_a_category(con: TestConnection) -> None:
    frame = pd.DataFrame({"grade": pd.Categorical(["low", "high", "low", None]), "n": [1, 1, 1, 1]})
    assert len(frame) == 4
    released = con.execute(
        "SELECT DISTINCT grade FROM kanonymous('frame', ['grade', 'n'], 4, format := 'typed')"
    ).fetchall()
    assert released == [(["*"],)]


def test_a_volatile_source_is_read_once(con: TestConnection) -> None:
    dice = "SELECT CAST(random() * 1e9 AS BIGINT) AS r, i % 4 AS s FROM range(3000) AS t(i)"
    source = f"(SELECT r, r AS same, s FROM ({dice}))"
    for _ in range(3):
        released = release(con, f"FROM ldiverse('{source}', ['r'], 's', 4, format := 'typed', keep := ['same'])")
        assert len(released) == 3000
        for members in by_group(released).values():
            values = [member[3] for member in members]
            assert {(member[1]["lo"], member[1]["hi"]) for member in members} == {(min(values), max(values))}
            assert max(Counter(member[2] for member in members).values()) * 4 <= len(members)
