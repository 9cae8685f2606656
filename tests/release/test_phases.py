"""The logger hears what a release does: phases, rows, seconds, and no value."""

from __future__ import annotations

import logging

import pytest
from connections import TestConnection


def test_phases_go_to_the_logger_with_rows_and_seconds(con: TestConnection, caplog: pytest.LogCaptureFixture) -> None:
    con.execute(
        "CREATE OR REPLACE TABLE t AS "
        "SELECT i % 30 AS person, 7000 + i AS age, 'd' || i % 5 AS disease FROM range(90) AS r(i)"
    )
    with caplog.at_level(logging.INFO, logger="sqlanon"):
        con.rows("FROM ldiverse('t', ['age'], 'disease', 3, entity := 'person')")
    heard = [(record.__dict__["phase"], record.__dict__["rows"]) for record in caplog.records]
    for name in ("reading codes", "grouping (hilbert)", "counting people"):
        assert heard.count((name, 90)) == 2, "it begins, and it ends"
    ended = [record for record in caplog.records if record.__dict__["seconds"] is not None]
    assert len(ended) == len(heard) / 2
    assert all(record.levelno == logging.INFO and "70" not in record.getMessage() for record in caplog.records)


def test_nothing_is_logged_unless_somebody_listens(con: TestConnection, caplog: pytest.LogCaptureFixture) -> None:
    con.execute("CREATE OR REPLACE TABLE u AS SELECT i AS age FROM range(9) AS r(i)")
    with caplog.at_level(logging.WARNING, logger="sqlanon"):
        con.rows("FROM kanonymous('u', ['age'], 3)")
    assert caplog.records == []
