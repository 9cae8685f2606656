"""Make a release again, from its source, by the call that its certificate records: then that call is proven."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import duckdb

from ..calling import run, temporary_table, write_call
from ..errors import SqlanonError
from .record import Certificate
from .release_call import BY_WEIGHTS

OTHERWISE = (
    "made again, it differs: it may need a seed, another order of the source's rows, or the version that made it"
)


def remake(
    con: duckdb.DuckDBPyConnection,
    certificate: Certificate,
    src: str | None,
    trees: Mapping[str, str],
    content_hash: str,
) -> bool | str:
    """True if the same call makes a release of this content; otherwise the reason why it cannot be told."""
    if src is None or certificate.function is None:
        return "it needs the source"
    if len(trees) < len(certificate.taxonomies):
        return "it needs the source and all taxonomies"
    if any(reason.endswith(BY_WEIGHTS) for reason in certificate.unchecked):
        return "it needs weights, which are not recorded"
    try:
        return True if hash_again(con, certificate, src, trees) == content_hash else OTHERWISE
    except SqlanonError as error:
        return f"it cannot be made from this source: {error}"


@contextmanager
def make_with_people(
    con: duckdb.DuckDBPyConnection, certificate: Certificate, src: str, trees: Mapping[str, str]
) -> Iterator[str]:
    """A table with the release that the recorded call makes of a source, and a column that tells people apart."""
    from ..release.request import read_release
    from ..release.statement import with_people_statement

    request = read_release(str(certificate.function), recorded_call(certificate, src, trees))
    with temporary_table(con, with_people_statement(request)) as name:
        yield name


def hash_again(con: duckdb.DuckDBPyConnection, certificate: Certificate, src: str, trees: Mapping[str, str]) -> str:
    """The content hash of the release that the recorded call makes of a source."""
    from .content import content_statement

    made = write_call(str(certificate.function), recorded_call(certificate, src, trees))
    with temporary_table(con, made) as name:
        return str(run(con, content_statement(name)).only["content_hash"])


def recorded_call(certificate: Certificate, src: str, trees: Mapping[str, str]) -> dict[str, object]:
    """The arguments of the release function, with its tables."""
    from ..functions import signature

    function = str(certificate.function)
    call: dict[str, object] = {**certificate.arguments, "tbl": src, "qi": list(certificate.qi)}
    taken = (*certificate.qi, *certificate.sa) if "tau" in signature(function) else certificate.qi
    call["taxonomy"] = {column: table for column, table in trees.items() if column in taken} or None
    if "sa" in signature(function):
        call["sa"] = certificate.sa[0] if len(certificate.sa) == 1 else list(certificate.sa)
    return call
