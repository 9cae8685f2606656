"""The subject of a report: the arguments, checked, and the certificate, which is made if there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import duckdb

from ..approval import ApprovalRecord
from ..arguments import column_list, flag, fold, refuse_repeats, taxonomies, text, whole
from ..calling import ANSWER, call, run
from ..certificate import Certificate, certify
from ..errors import InvalidParameter, TooFewRows
from ..functions import signature


@dataclass(frozen=True)
class Subject:
    """A release, its source if that may be looked at, and its certificate. `certified`: it was there before.

    `measured` is what was measured of the release already. `people`: a table with the rows of the release in which
    people can be told apart, if there is one. `repeating_identifiers`: what tells people apart, and nobody named, in
    the source, or by the certificate where that is not there. `hides_values`: sensitive values are published as lists
    or labels.
    """

    con: duckdb.DuckDBPyConnection
    rel: str
    src: str | None
    people: str | None
    qi: tuple[str, ...]
    sa: tuple[str, ...]
    taxonomy: Mapping[str, str]
    certificate: Certificate
    repeating_identifiers: tuple[str, ...]
    certified: bool
    measured: Certificate | None
    hides_values: bool
    algo: str | None
    public: bool
    title: str
    record: ApprovalRecord

    def taxonomy_of(self, *columns: str) -> dict[str, str] | None:
        """The taxonomies of these columns, as SQL functions take them."""
        return {column: table for column, table in self.taxonomy.items() if column in columns} or None

    @property
    def noun(self) -> str:
        """Those who are counted in charts and measures: people, where a table tells them apart, or rows."""
        return "rows" if self.people is None else "people"

    @property
    def counting_arguments(self) -> dict[str, object]:
        """The arguments of all verifying functions that say how rows or people are counted."""
        entity = None if self.people is None else self.certificate.entity
        return {"qi": list(self.qi), "entity": entity, "nulls": self.certificate.nulls}


def read_subject(
    con: duckdb.DuckDBPyConnection,
    rel: str,
    qi: Sequence[str],
    sa: str | Sequence[str] | None,
    *,
    src: str | None,
    certificate: Certificate | None,
    measured: Certificate | None,
    people: str | None,
    taxonomy: Mapping[str, str] | None,
    l: int | None,
    k: int | None,
    algo: str | None,
    public: bool,
    title: str | None,
    record: ApprovalRecord | None,
) -> Subject:
    """Check the arguments."""
    if record is not None and not isinstance(record, ApprovalRecord):
        raise InvalidParameter("record must be an ApprovalRecord.", "sqlanon.publishing.approval has it.")
    if public and record is not None:
        raise InvalidParameter("a public report takes no record.", "It is for those who answer for the release.")
    if flag("public", public) and src is not None:
        raise InvalidParameter("a public report takes no src.", "It is made from the release and its certificate.")
    if certificate is not None and not isinstance(certificate, Certificate):
        raise InvalidParameter("certificate must be a Certificate.", "Read one with Certificate.from_json.")
    columns = column_list("qi", list(qi) if isinstance(qi, tuple) else qi, at_least_one=True)
    listed = column_list("sa", [sa] if isinstance(sa, str) else sa and list(sa), at_least_one=False)
    sensitive = listed or (certificate.sa if certificate else ())
    refuse_repeats({"qi": columns, "sa": sensitive})
    trees = dict(taxonomies(taxonomy, (*columns, *sensitive), "qi or sa"))
    text("rel", rel)
    bounds = {name: whole(name, value, 1) for name, value in (("k", k), ("l", l)) if value is not None}
    algo = None if algo is None else text("algo", algo)
    if certificate is not None:
        refuse_other_columns(certificate, columns, sensitive)
        refuse_other_bounds(certificate, bounds)
    source = None if src is None else text("src", src)
    made = certificate or measure(con, rel, columns, sensitive, src, trees, bounds, algo)
    if not made.rows:
        raise TooFewRows.empty()
    return Subject(
        con=con,
        rel=rel,
        src=source,
        people=table_of_people(rel, made, people),
        qi=columns,
        sa=sensitive,
        taxonomy=trees,
        certificate=made,
        repeating_identifiers=repeating_identifiers(con, source, sensitive, made),
        certified=certificate is not None,
        measured=measured,
        hides_values="tau" in made.bounds or any(publishes_lists(con, rel, name) for name in sensitive),
        algo=algo or algorithm(made),
        public=public,
        title=text("title", title) if title is not None else "Report of a release",
        record=record or ApprovalRecord(),
    )


def repeating_identifiers(
    con: duckdb.DuckDBPyConnection, src: str | None, sa: Sequence[str], certificate: Certificate
) -> tuple[str, ...]:
    """The columns that look like identifiers and repeat while nobody named one: in the source, if it is there."""
    from ..certificate.identifiers import repeating_statement  # here, because it brings sqlglot

    if src is None or certificate.entity is not None:
        return certificate.repeating_identifiers or ()
    return tuple(run(con, repeating_statement(src, sa)).only["identifiers"])


def table_of_people(rel: str, certificate: Certificate, people: str | None) -> str | None:
    """The table in which people are counted: the one for that, or the release, if a column identifies them."""
    if certificate.entity is None:
        return None
    if people is not None:
        return text("people", people)
    published = {fold(name) for name, _ in certificate.columns}
    return rel if fold(certificate.entity) in published else None


def refuse_other_columns(certificate: Certificate, qi: Sequence[str], sa: Sequence[str]) -> None:
    """A certificate is about the columns that it names, and about no others."""
    for role, columns, certified in (("qi", qi, certificate.qi), ("sa", sa, certificate.sa)):
        if {fold(name) for name in columns} != {fold(name) for name in certified}:
            raise InvalidParameter(
                f"{role} names other columns than the certificate.", f"It is about: {', '.join(certified) or 'none'}."
            )


def refuse_other_bounds(certificate: Certificate, bounds: Mapping[str, int]) -> None:
    """Refuse bounds that are not those of the certificate."""
    for name, value in bounds.items():
        if certificate.bounds.get(name, certificate.arguments.get(name)) != value:
            raise InvalidParameter(f"{name} = {value} is not what the certificate says.", f"Leave {name} out.")


def measure(
    con: duckdb.DuckDBPyConnection,
    rel: str,
    qi: tuple[str, ...],
    sa: tuple[str, ...],
    src: str | None,
    taxonomy: Mapping[str, str],
    bounds: Mapping[str, int],
    algo: str | None,
) -> Certificate:
    """A certificate for a release that has none. With its algorithm, what its release function promises is known."""
    call: dict[str, object] = dict(bounds)
    if algo is not None and len(bounds) == 1:
        function = "ldiverse" if "l" in bounds else "kanonymous"
        call = {"function": function, "arguments": {**bounds, "algo": algo}}
    one_or_all = sa[0] if len(sa) == 1 else list(sa) or None
    return certify(con, rel, qi, one_or_all, taxonomy=dict(taxonomy) or None, src=src, **call)  # type: ignore[arg-type]


def publishes_lists(con: duckdb.DuckDBPyConnection, rel: str, sa: str) -> bool:
    """Whether all that a column shows are lists, typed or as text."""
    test = f"SELECT system.main.bool_and(value::VARCHAR SIMILAR TO '(\\{{.*\\}}|\\[.*\\])') AS lists FROM {ANSWER}"
    row = call(con, "buckets", {"tbl": rel, "sa": sa}, test).only
    return bool(row["lists"])


def algorithm(certificate: Certificate) -> str | None:
    """The algorithm that made a release: as the certificate says, or what its function does by itself."""
    named = certificate.arguments.get("algo")
    if named is not None or certificate.function is None:
        return None if named is None else str(named)
    default = signature(certificate.function).get("algo")
    return None if default is None else str(default)
