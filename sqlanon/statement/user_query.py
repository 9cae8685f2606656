"""Queries of users, checked by DuckDB's own parser and left as it is.

Whoever parses a text and writes it anew may change what it means: where NULLs sort, which path into a JSON value. So
the text goes into our statement unchanged, once it is known to be one whole query that changes nothing.

>>> is_query("SELECT a FROM t ORDER BY a NULLS FIRST LIMIT 3")
True
>>> is_query("SELECT 1) UNION ALL (SELECT 2"), is_query("DELETE FROM t RETURNING *"), is_query("SELECT 1; SELECT 2")
(False, False, False)
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import cache

import duckdb

CHANGES = frozenset({"INSERT", "UPDATE", "DELETE", "MERGE"})
STANDS_FOR_COLUMNS = frozenset({"columns"})
BEFORE_TABLES = frozenset({"from", "join", ".", "_sqlanon", "main"})
"""Newer versions of DuckDB do not report the dot of a qualified name."""

_parsing = threading.Lock()


def is_query(text: str) -> bool:
    """Whether a text is one query, alone and as a subquery. A text that ends its own parentheses is not one alone."""
    return _is_select(text) and _is_select(f"SELECT * FROM (\n{text}\n)") and not _has_changes(text)


def without_semicolon(text: str) -> str:
    """The text up to a semicolon at its end, if it has one; a comment may follow it."""
    encoded, tokens = text.encode(), _tokens(text)
    last = tokens[-1][0] if tokens else 0
    return encoded[:last].decode() if encoded[last : last + 1] == b";" else text


def calls(text: str, function: str) -> bool:
    """Whether a query calls a function of that name. DuckDB's own COLUMNS(…) is no call: it stands for columns."""
    words = [word.lower() for word in _words(text)]
    following = zip(["", *words], words, words[1:], strict=False)
    return any(
        word.strip('"') == function and after == "(" and (word not in STANDS_FOR_COLUMNS or before in BEFORE_TABLES)
        for before, word, after in following
    )


def names_starting_with(text: str, prefix: str) -> bool:
    """Whether a query has a name that starts like this."""
    return any(word.strip('"').lower().startswith(prefix) for word in _words(text))


def _is_select(text: str) -> bool:
    with _parsing:
        try:
            statements = _parser().extract_statements(text)
        except (duckdb.Error, UnicodeError):
            return False
    return (
        len(statements) == 1
        and statements[0].type == duckdb.StatementType.SELECT
        and not statements[0].named_parameters
    )


def _has_changes(text: str) -> bool:
    """Whether a step of the query writes: newer versions of DuckDB parse WITH x AS (DELETE …), and refuse it later."""
    words = [word.upper() for word in _words(text)]
    following = zip(words, words[1:], words[2:], strict=False)
    return any(one == "(" and two in CHANGES and three.isidentifier() for one, two, three in following)


def _words(text: str) -> Iterator[str]:
    """The words and signs of a text, without its constants and comments."""
    encoded = text.encode()
    for start, end, kind in _tokens(text):
        if kind in (duckdb.token_type.keyword, duckdb.token_type.identifier, duckdb.token_type.operator):
            yield encoded[start:end].decode(errors="replace").split("--")[0].split("/*")[0].strip()


def _tokens(text: str) -> list[tuple[int, int, object]]:
    """Where each token of a text starts, where the next does, and its kind; comments are none."""
    tokens = [(start, kind) for start, kind in duckdb.tokenize(text) if kind != duckdb.token_type.comment]
    ends = [start for start, _ in tokens[1:]] + [len(text.encode())]
    return [(start, end, kind) for (start, kind), end in zip(tokens, ends, strict=False)]  # none: an end is left


@cache
def _parser() -> duckdb.DuckDBPyConnection:
    """A connection to nothing: the planner must not touch the user's."""
    return duckdb.connect(":memory:", config={"threads": 1})
