"""Print the seconds from before `import sqlanon` to the end of the first ldiverse."""

from __future__ import annotations

import time

started = time.perf_counter()

import sqlanon  # noqa: E402  (the import is part of what is measured)

con = sqlanon.connect()
con.execute("CREATE TABLE people AS SELECT i % 50 AS age, i % 7 AS disease FROM range(1000) AS r(i)")
con.execute("CREATE TABLE release AS FROM ldiverse('people', ['age'], 'disease', 3)")
print(time.perf_counter() - started)
con.close()
