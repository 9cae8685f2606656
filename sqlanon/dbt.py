"""A plugin of dbt-duckdb: models of a dbt project can call sqlanon's SQL functions. docs/dbt.md shows how.

    outputs:
      dev:
        type: duckdb
        path: hospital.duckdb
        plugins:
          - module: sqlanon.dbt

It needs dbt-duckdb: `pip install sqlanon[dbt]`.
"""

from __future__ import annotations

import duckdb
from dbt.adapters.duckdb.plugins import BasePlugin

from .connection import load


class Plugin(BasePlugin):  # type: ignore[misc]  # dbt is not there when types are checked
    """Loads sqlanon on the connection of a run, and on the cursor of each of its threads."""

    def configure_connection(self, conn: duckdb.DuckDBPyConnection) -> None:
        """Register the functions, once for all threads; again whenever dbt opens the database anew."""
        load(conn)

    def configure_cursor(self, cursor: duckdb.DuckDBPyConnection) -> None:
        """Create the macros, which are temporary, and so belong to one cursor."""
        load(cursor)
