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

from collections.abc import Mapping
from typing import Any

import duckdb
from dbt.adapters.duckdb.plugins import BasePlugin
from dbt.adapters.duckdb.utils import TargetConfig
from dbt.flags import get_flags

from .bounds import NAMES
from .certificate import Certificate, certify, file_reference
from .connection import load
from .errors import InvalidParameter, NotPrivate
from .publishing.destinations import Publishing, Text, stage_file, write_companions
from .publishing.paths import File, read_file_or_table
from .publishing.session import literal
from .publishing.staging import keep_owner
from .statement.macros import empty_macros

COLUMNS = ("quasi_identifiers", "sensitive_column", "entity", "nulls")


class Plugin(BasePlugin):  # type: ignore[misc]  # dbt is not there when types are checked
    """Loads sqlanon on the connection of a run, and on the cursor of each of its threads; publishes files."""

    def configure_connection(self, conn: duckdb.DuckDBPyConnection) -> None:
        """Register the functions, once for all threads; again whenever dbt opens the database anew."""
        self.connection = load(conn)

    def configure_cursor(self, cursor: duckdb.DuckDBPyConnection) -> None:
        """Create the macros, which are temporary, and so belong to one cursor.

        With `--empty`, where no table has rows, the release functions have their columns and no rows.
        """
        load(cursor)
        if getattr(get_flags(), "EMPTY", False):
            cursor.execute(";\n".join(empty_macros()))

    def store(self, target_config: TargetConfig) -> None:
        """Publish the table of a model as a file, for the materialization release_file."""
        settings = (target_config.config.get("meta") or {}).get("release")
        with load(self.connection.cursor()) as cursor:
            publish_file(cursor, str(target_config.relation), target_config.location.path, settings)


def publish_file(con: duckdb.DuckDBPyConnection, table: str, location: str, settings: object) -> Certificate:
    """Write a table to a file that gets its name, with the certificate beside it, if all bounds hold in it."""
    qi, sa, others = read_settings(settings)
    file = read_file_or_table("location", location)
    if not isinstance(file, File):
        raise InvalidParameter("location: it is no file.", "Give a path that ends in .parquet, .csv or .tsv.")
    companion = file.path.with_name(f"{file.path.name}.certificate.json")
    publishing = Publishing()
    with (
        write_companions([companion], True, publishing) as write,
        stage_file(file.path, True, publishing) as path,
    ):
        copy = f"COPY (SELECT * FROM {table}) TO {literal(str(path))} ({file.format.copy}, USE_TMP_FILE false)"
        con.execute(copy)
        keep_owner(path, file.path)
        certificate = certify(con, file_reference(path), qi, sa, **others)
        if certificate.broken:
            raise NotPrivate(f"the release breaks {', '.join(certificate.broken)}.", "No file was published.")
        if certificate.holds is not True:
            raise NotPrivate(f"not checked: {', '.join(certificate.unchecked)}.", "No file was published.")
        write({companion: Text(certificate.to_json())})
    return certificate


def read_settings(settings: object) -> tuple[list[str], str | list[str] | None, dict[str, Any]]:
    """The columns and bounds of a release, from `meta.release` of a model; at least one bound."""
    if not isinstance(settings, Mapping) or not isinstance(settings.get("quasi_identifiers"), list):
        raise InvalidParameter(
            "meta.release of the model must have quasi_identifiers, a list of columns.",
            "Write meta={'release': {'quasi_identifiers': ['age', 'zip'], 'k': 10}}.",
        )
    for name in settings.keys() - {*NAMES, *COLUMNS}:
        raise InvalidParameter.unknown("meta.release", str(name), (*COLUMNS, *NAMES))
    if not settings.keys() & set(NAMES):
        raise InvalidParameter("meta.release has no bound to check.", f"Give one or several of: {', '.join(NAMES)}.")
    others = {name: value for name, value in settings.items() if name not in COLUMNS[:2]}
    return settings["quasi_identifiers"], settings.get("sensitive_column"), others
