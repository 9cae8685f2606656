"""sqlanon: DuckDB as an anonymizer. Publish, verify and evaluate microdata in plain SQL.

>>> import sqlanon
>>> con = sqlanon.connect()
>>> con.execute("CREATE TABLE t AS SELECT i AS age, i % 3 AS disease FROM range(9) AS r(i)").fetchall()
[(9,)]
>>> con.execute("SELECT count(DISTINCT group_id) FROM ldiverse('t', ['age'], 'disease', 3)").fetchone()
(3,)
"""

from __future__ import annotations

from pathlib import Path

_beside = Path(__file__).parents[1]
if not (_beside / "sqlanon" / "udfs").exists():
    # A source tree, in which udfs/ and sql/ lie beside this package: Python started there finds them too.
    __path__.append(str(_beside))

from . import errors  # noqa: E402
from .connection import connect, load  # noqa: E402
from .verification import verification_sql  # noqa: E402
from .version import __version__  # noqa: E402

__all__ = ["__version__", "connect", "errors", "load", "verification_sql"]
