"""Certificates of releases: what was promised, what holds, and which release it is about.

>>> import sqlanon
>>> con = sqlanon.connect()
>>> _ = con.execute("CREATE TABLE people AS SELECT i AS age, i % 3 AS disease FROM range(9) AS r(i)")
>>> _ = con.execute("CREATE TABLE release AS FROM ldiverse('people', ['age'], 'disease', 3)")
>>> certificate = certify(con, "release", ["age"], "disease", l=3)
>>> certificate.holds, certificate.rows
(True, 9)
>>> all_hold(check(con, "release", Certificate.from_json(certificate.to_json())))
True
>>> all_hold(check(con, "(FROM release LIMIT 8)", certificate))
False
"""

from __future__ import annotations

from .certifying import certify
from .checking import check
from .files import file_reference
from .lines import Line, all_hold, unproven
from .record import SCHEMA, Certificate

__all__ = ["SCHEMA", "Certificate", "Line", "all_hold", "certify", "check", "file_reference", "unproven"]
