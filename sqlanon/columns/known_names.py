"""Steps that read the names of columns: which meanings of the vocabulary they may have, and which fits the values.

worded  the words of each column's name, whether it is written patient_id, patientId or PatientID
terms   what of a name may be in the vocabulary: all of it, and up to four words in a row
known   the meanings
named   the meaning of each column that has one
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.statement.template import Step, query, text

from .vocabulary import MEANINGS

FIELDS = ("role", "reason", "names", "words", "kind", "low", "high", "fewest", "most", "counts_people")


def name_steps() -> dict[str, Step]:
    """All steps, in order. They read `described` and `measured`."""
    return {"worded": split_words(), "terms": terms(), "known": list_meanings(), "named": choose_meanings()}


def split_words() -> exp.Select:
    """The words of each name."""
    return query(
        """
        SELECT
            column_number, _sqlanon_words(name) AS words,
            lower(regexp_replace(name, '[^A-Za-z0-9]+', '', 'g')) AS whole,
            lower(regexp_replace(regexp_replace(name, '[0-9]+$', ''), '[^A-Za-z0-9]+', '', 'g')) AS stem
        FROM described
        """
    )


def terms() -> exp.Select:
    """Terms with their weight: more of the name counts more; of two single words, the last, unless `at` or `per` is
    before it.
    """
    return query(
        """
        SELECT column_number, whole AS term, TRUE AS is_whole, 10000 AS weight FROM worded
        UNION ALL
        SELECT column_number, stem, TRUE, 9000 FROM worded WHERE stem <> whole
        UNION ALL
        SELECT
            column_number, array_to_string(list_slice(words, first, first + length - 1), ''), length = len(words),
            100 * length + first + CASE
                WHEN list_has_any(list_slice(words, 1, first - 1), ['at', 'per', 'by', 'for', 'since', 'from']) THEN 0
                ELSE 50
            END
        FROM (
            SELECT column_number, words, first, unnest(range(1, 5)) AS length
            FROM (SELECT column_number, words, unnest(range(1, len(words) + 1)) AS first FROM worded) AS starts
        ) AS parts
        WHERE first + length - 1 <= len(words)
        """
    )


def list_meanings() -> exp.Select:
    """One row per meaning."""
    rows = [tuple(literal(getattr(meaning, field)) for field in FIELDS) for meaning in MEANINGS]
    values = exp.values(rows, alias="meanings", columns=FIELDS)
    return exp.select("*").from_(values, copy=False)


def literal(value: str | float | None) -> exp.Expr:
    """A field of a meaning."""
    if value is None:
        return exp.cast(exp.null(), "DOUBLE")
    if isinstance(value, bool):
        return exp.true() if value else exp.false()
    return text(value) if isinstance(value, str) else exp.Literal.number(value)


def choose_meanings() -> exp.Select:
    """The meaning with the heaviest term, of those that the values allow."""
    return query(
        """
        SELECT column_number, arg_max(
            {'role': role, 'reason': reason, 'kind': kind, 'counts_people': counts_people},
            {'weight': weight, 'reason': reason}
        ) AS meaning
        FROM (
            SELECT
                measured.column_number, spelled.role, spelled.reason, spelled.kind, spelled.counts_people, terms.weight
            FROM terms
            JOIN (
                SELECT *, unnest(string_split(names, ' ')) AS term, TRUE AS is_whole FROM known
                UNION ALL
                SELECT *, unnest(string_split(words, ' ')), FALSE FROM known
            ) AS spelled ON spelled.term = terms.term AND (terms.is_whole OR NOT spelled.is_whole)
            JOIN measured ON measured.column_number = terms.column_number
            WHERE terms.term <> '' AND (measured.known = 0 OR _sqlanon_fits(
                spelled.role, spelled.kind, spelled.low, spelled.high, spelled.fewest, spelled.most,
                measured.shape, measured.shaped / measured.known, measured.numeric / measured.known,
                measured.whole / measured.known, measured.low, measured.high,
                measured.known_values, measured.known_values / measured.known
            ))
        ) AS fitting
        GROUP BY column_number
        """
    )
