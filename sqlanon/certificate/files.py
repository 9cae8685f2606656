"""Read a release in a file so that its content hash is that of the table it came from."""

from __future__ import annotations

from pathlib import Path

from ..errors import InvalidParameter

TEXT = {".csv": ",", ".tsv": "\\t"}
BINARY = (".parquet", ".pq")


def file_reference(path: str | Path) -> str:
    """The text to pass as `rel` for a Parquet or CSV file.

    The cells of a CSV file are read as the text they are: a reader that guesses takes 007 for 7. An empty cell is NULL,
    one in quotes is empty text, as DuckDB writes them. Names of folders are no columns, even if they say year=2024.

    >>> print(file_reference("it's.parquet"))
    read_parquet('it''s.parquet', hive_partitioning = false)
    """
    name = str(path)
    ending = Path(name.removesuffix(".gz")).suffix.lower()
    literal = "'" + name.replace("'", "''") + "'"
    if ending in BINARY:
        return f"read_parquet({literal}, hive_partitioning = false)"
    if ending in TEXT:
        return (
            f"read_csv({literal}, delim = '{TEXT[ending]}', quote = '\"', escape = '\"', header = true, "
            "comment = '', skip = 0, all_varchar = true, allow_quoted_nulls = false, hive_partitioning = false)"
        )
    raise InvalidParameter(
        f"a release cannot be read from a file that ends in {ending!r}.",
        "Give one that ends in .parquet, .csv or .tsv.",
    )
