"""Reports of releases: one HTML file to read, print and sign. Needs the extra: `pip install "sqlanon[report]"`.

>>> import sqlanon
>>> con = sqlanon.connect()
>>> _ = con.execute("CREATE TABLE people AS SELECT i AS age, i % 3 AS disease FROM range(9) AS r(i)")
>>> _ = con.execute("CREATE TABLE release AS FROM ldiverse('people', ['age'], 'disease', 3)")
>>> made = report(con, "release", ["age"], "disease", l=3, public=True, title="Nine people")
>>> "<title>Nine people</title>" in made.html
True
"""

from __future__ import annotations

from importlib.util import find_spec

from ..errors import InvalidParameter

for _package in ("jinja2", "vl_convert"):
    if find_spec(_package) is None:
        raise InvalidParameter("sqlanon.report needs an extra.", 'pip install "sqlanon[report]"')

from .making import report  # noqa: E402 (the extra comes first)
from .record import Report  # noqa: E402

__all__ = ["Report", "report"]
