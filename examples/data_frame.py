"""Publish a data frame: DuckDB sees it by its name, and the release comes back as one."""

import pandas as pd

import sqlanon

visits = pd.DataFrame(
    {
        "age": [23, 24, 27, 41, 45, 48, 61, 66, 69],
        "ward": ["A", "A", "B", "B", "B", "C", "C", "C", "A"],
        "diagnosis": ["flu", "asthma", "angina"] * 3,
    }
)

con = sqlanon.connect()
release = con.execute("FROM ldiverse('visits', ['age', 'ward'], 'diagnosis', 3)").df()
print(release.to_string(index=False))
con.close()
