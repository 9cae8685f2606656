"""Running what a user wrote in SQL, one statement after the other."""

from __future__ import annotations

import duckdb

from ..calling import Rows
from ..phases import phase
from .narration import show_progress
from .output import data_cell, output, print_json, print_table


def run_script(con: duckdb.DuckDBPyConnection, script: str, most: int, json: bool = False) -> None:
    """Run statements; print the rows of each that answers with rows, up to so many. JSON: a line for each, all rows."""
    for statement in con.extract_statements(script):
        with show_progress(), phase("running a statement"):
            result = con.execute(statement)
            answer = Rows([column[0] for column in result.description or []], result.fetchall())
        if duckdb.ExpectedResultType.CHANGED_ROWS in statement.expected_result_type and answer.names == ["Count"]:
            if not json:
                output().print(f"{answer.rows[0][0]:,} rows")
        elif duckdb.ExpectedResultType.QUERY_RESULT in statement.expected_result_type and answer.names:
            print_answer(answer, most, json)


def print_answer(answer: Rows, most: int, json: bool) -> None:
    """Print rows."""
    if json:
        print_json(answer.records)
        return
    print_table(answer.names, answer.rows[:most], write=data_cell)
    if len(answer.rows) > most:
        output().print(f"\n{len(answer.rows) - most:,} more rows")
