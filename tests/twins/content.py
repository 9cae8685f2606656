"""The content hash in plain Python, after docs/certificate.md."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from hashlib import sha256


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def cell(text: str | None) -> str:
    """A text with its length in bytes, or a dash for NULL."""
    return "-" if text is None else f"{len(text.encode())}:{text}"


def content_hash(names: Sequence[str], rows: Sequence[Sequence[str | None]]) -> str:
    """The hash of a table of texts."""
    order = sorted(range(len(names)), key=lambda number: names[number].encode())
    return combine([names[number] for number in order], [[row[number] for number in order] for row in rows])


def taxonomy_hash(paths: Sequence[Sequence[str]]) -> str:
    """The hash of a taxonomy: of its distinct paths, from the leaf to the root, without names."""
    return combine([], sorted({tuple(path) for path in paths}))


def combine(names: Sequence[str], rows: Sequence[Sequence[str | None]]) -> str:
    buckets: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        row_hash = digest("".join(map(cell, row)))
        buckets[row_hash[:3]].append(row_hash)
    hashes = "".join(bucket + digest("".join(sorted(members))) for bucket, members in sorted(buckets.items()))
    return digest("\n".join(["sqlanon content 1", str(len(rows)), "".join(map(cell, names)), hashes]))
