"""sqlanon: DuckDB as an anonymizer. Publish, verify and evaluate microdata in plain SQL.

>>> import sqlanon
>>> con = sqlanon.connect()
>>> con.execute("CREATE TABLE t AS SELECT i AS age, i % 3 AS disease FROM range(9) AS r(i)").fetchall()
[(9,)]
>>> con.execute("SELECT count(DISTINCT group_id) FROM ldiverse('t', ['age'], 'disease', 3)").fetchone()
(3,)
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from .version import __version__

TYPE_CHECKING = False  # that of typing takes a while to import
if TYPE_CHECKING:
    from . import certificate, errors
    from .connection import connect, load
    from .estimate.portable import rewrite
    from .policy import run
    from .verify.portable import verification_sql

if find_spec("sqlanon.udfs") is None:
    # Python was started in a source tree, where udfs/ and sql/ lie beside this package.
    from pathlib import Path

    __path__.append(str(Path(__file__).parents[1]))

__all__ = ["__version__", "certificate", "connect", "errors", "load", "rewrite", "run", "verification_sql"]

_HOMES = {
    "connect": "connection",
    "load": "connection",
    "run": "policy",
    "rewrite": "estimate.portable",
    "verification_sql": "verify.portable",
}
"""The module of each function: imported when it is first needed, as the command line has to answer Ctrl-C by then."""


def __getattr__(name: str) -> object:
    """The public names of this package."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = (
        getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        if name in _HOMES
        else import_module(f"{__name__}.{name}")
    )
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
