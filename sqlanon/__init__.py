"""sqlanon: DuckDB as an anonymizer. Publish, verify and evaluate microdata in plain SQL.

>>> import sqlanon
>>> con = sqlanon.connect()
>>> con.execute("CREATE TABLE t AS SELECT i AS age, i % 3 AS disease FROM range(9) AS r(i)").fetchall()
[(9,)]
>>> con.execute("SELECT count(DISTINCT group_id) FROM ldiverse('t', ['age'], 'disease', 3)").fetchone()
(3,)
"""

from __future__ import annotations

from . import errors
from .connection import connect, load
from .version import __version__

__all__ = ["__version__", "connect", "errors", "load"]
