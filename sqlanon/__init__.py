"""sqlanon: DuckDB as an anonymizer. Publish, verify and evaluate microdata in plain SQL.

>>> import sqlanon
>>> con = sqlanon.connect()
>>> con.execute("CREATE TABLE t AS SELECT i AS age, i % 3 AS disease FROM range(9) AS r(i)").fetchall()
[(9,)]
>>> con.execute("SELECT count(DISTINCT group_id) FROM ldiverse('t', ['age'], 'disease', 3)").fetchone()
(3,)
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

if find_spec("sqlanon.udfs") is None:
    # Python was started in a source tree, where udfs/ and sql/ lie beside this package.
    __path__.append(str(Path(__file__).parents[1]))

from . import certificate, errors
from .connection import connect, load
from .policy import run
from .rewriting import rewrite
from .verification import verification_sql
from .version import __version__

__all__ = ["__version__", "certificate", "connect", "errors", "load", "rewrite", "run", "verification_sql"]
