"""The statement of certify: one row, from one reading of the release.

release      the whole release
content …    what it is: see content
judged       one row: what it holds, for each sensitive attribute
lost         one row: what it lost, if there is a source
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from sqlglot import exp

from sqlanon.models import BOUNDS
from sqlanon.request.certification import LOSSES, MEASURES, RISKS, Certification
from sqlanon.request.verification import Verification, Verifications
from sqlanon.version import __version__

from ..evaluate import evaluation_statement
from ..template import Once, Step, expression, number_literal, query, struct, text, with_steps
from ..verify import statement_of_one
from .content import RELEASE, columns_described, content_steps, release_step, taxonomy_hashes


def certify_statement(request: Certification) -> exp.Select:
    """Build the statement of a certificate."""
    certificate = query(
        """
        SELECT
            CAST(:sqlanon_version AS VARCHAR) AS version,
            _sqlanon_now() AS created,
            CAST(:publisher AS VARCHAR) AS function,
            :arguments AS arguments,
            :qi AS qi,
            :sa AS sa,
            :entity AS entity,
            :nulls AS nulls,
            :bounds AS bounds,
            :promised AS promised,
            CASE WHEN len(broken) > 0 THEN FALSE WHEN :has_promise THEN TRUE END AS holds,
            broken,
            :unchecked AS unchecked,
            row_count AS "rows",
            classes,
            groups,
            :columns AS columns,
            measures,
            risk,
            :source_rows AS source_rows,
            :loss AS loss,
            :taxonomies AS taxonomies,
            content_hash
        FROM (
            SELECT
                *,
                CASE
                    WHEN complete IS FALSE THEN list_concat(broken_bounds, ['group_id']) ELSE broken_bounds
                END AS broken
            FROM content CROSS JOIN described CROSS JOIN judged
        ) AS whole
        """,
        sqlanon_version=text(__version__),
        publisher=optional_text(request.function),
        arguments=text(request.arguments),
        qi=texts(request.qi),
        sa=texts(request.sa),
        entity=optional_text(request.entity),
        nulls=text(request.nulls),
        bounds=bounds_struct(request),
        promised=texts(request.promised),
        has_promise=exp.convert(bool(request.promised)),
        unchecked=texts(request.unchecked),
        columns=columns_described(),
        source_rows=expression("CAST(NULL AS BIGINT)" if request.loss is None else "(SELECT source_rows FROM lost)"),
        loss=loss_struct(request),
        taxonomies=taxonomy_hashes(request.taxonomy),
    )
    return with_steps(certificate, certificate_steps(request))


def certificate_steps(request: Certification) -> dict[str, Step]:
    """All steps of a certificate."""
    steps: dict[str, Step] = {RELEASE: release_step(request.rel), **content_steps(), "judged": Once(judged(request))}
    if request.loss is not None:
        steps["lost"] = Once(evaluation_statement(replace(request.loss, rel=RELEASE)))
    return steps


def judgement_statement(request: Certification, types: Sequence[tuple[str, str]]) -> exp.Select:
    """One row: what a release holds, and the hashes of taxonomies; `types` of columns that were read as text."""
    return with_steps(
        query(
            "SELECT broken_bounds, classes, measures, risk, :taxonomies AS taxonomies FROM judged",
            taxonomies=taxonomy_hashes(request.taxonomy),
        ),
        {RELEASE: release_step(request.rel, types), "judged": Once(judged(request))},
    )


def judged(request: Certification) -> exp.Select:
    """One row: the bounds that are broken, the classes, measures (one struct per sensitive attribute), and the risk."""
    attributes: Sequence[str | None] = request.sa or (None,)
    each = [measures_of_one(request, place, name) for place, name in enumerate(attributes)]
    measures: exp.Query = each[0] if len(each) == 1 else exp.union(*each, distinct=False, copy=False)
    return query(
        """
        SELECT
            list_filter(:names, lambda name: list_contains(all_broken, name)) AS broken_bounds,
            classes, measures, :risk AS risk
        FROM (
            SELECT
                max(classes) AS classes, list(measured ORDER BY place ASC) AS measures,
                flatten(list(broken_bounds)) AS all_broken
            FROM :measures
        ) AS together
        """,
        names=texts(request.promised),
        measures=measures.subquery("each_attribute"),
        risk=risk_struct(request),
    )


def risk_struct(request: Certification) -> exp.Expr:
    """The risk of people in the release."""
    risks = statement_of_one(replace(request.risk, tbl=RELEASE)).subquery("risks")
    return exp.select(struct((name, expression(f"risks.{name}")) for name in RISKS)).from_(risks, copy=False).subquery()


def measures_of_one(request: Certification, place: int, name: str | None) -> exp.Select:
    """One row for one sensitive attribute: its place, the classes, the bounds that are broken, and all as a struct."""

    def part(verifications: Verifications | None) -> Verification | None:
        return None if verifications is None else replace(verifications.each[place], tbl=RELEASE)

    privacy = replace(request.privacy.each[place], tbl=RELEASE)
    measured = {
        measure: expression(f"privacy.{measure}")
        if measure != "t_hierarchical" or privacy.taxonomy is not None
        else expression("CAST(NULL AS DOUBLE)")
        for measure in MEASURES
    }
    fields = (
        ("sa", optional_text(name)),
        *measured.items(),
        ("recursive_c", column_of("c", part(request.recursive_c))),
        ("tau", column_of("tau", part(request.tau_privacy))),
        ("broken_classes", expression("broken.broken_classes")),
        ("broken", expression("broken.broken_bounds")),
    )
    return query(
        """
        SELECT CAST(:place AS INTEGER) AS place, privacy.classes, broken.broken_bounds, :measured AS measured
        FROM :privacy CROSS JOIN :broken
        """,
        place=exp.Literal.number(place),
        measured=struct(fields),
        privacy=statement_of_one(privacy).subquery("privacy"),
        broken=broken_bounds(part(request.violations), request.promised).subquery("broken"),
    )


def broken_bounds(violations: Verification | None, promised: Sequence[str]) -> exp.Select:
    """One row: how many classes break what was promised, and which bounds these are, in order."""
    if violations is None:
        return query("SELECT CAST(0 AS BIGINT) AS broken_classes, CAST([] AS VARCHAR[]) AS broken_bounds")
    return query(
        """
        SELECT
            count(*) FILTER (WHERE list_has_any(broken, :names)) AS broken_classes,
            list_filter(
                :names, lambda name: list_contains(coalesce(flatten(list(broken)), CAST([] AS VARCHAR[])), name)
            ) AS broken_bounds
        FROM :violations
        """,
        names=texts(promised),
        violations=statement_of_one(violations).subquery("violations"),
    )


def column_of(name: str, verification: Verification | None) -> exp.Expr:
    """A measure that needs a bound to say what it means; NULL without it."""
    if verification is None:
        return expression("CAST(NULL AS DOUBLE)")
    selected = exp.select(name).from_(statement_of_one(verification).subquery("measured"), copy=False)
    return exp.cast(selected.subquery(), "DOUBLE")


def loss_struct(request: Certification) -> exp.Expr:
    """What the release lost, as a struct; NULL without a source."""
    if request.loss is None:
        return expression(f"CAST(NULL AS STRUCT({', '.join(f'{name} DOUBLE' for name in LOSSES)}))")
    fields = struct((name, expression(f"CAST({name} AS DOUBLE)")) for name in LOSSES)
    return exp.select(fields).from_("lost").subquery()


def bounds_struct(request: Certification) -> exp.Struct:
    """Every bound, NULL where there is none."""
    bounds = dict(request.bounds)
    return struct((bound.name, optional_number(bounds.get(bound.name))) for bound in BOUNDS)


def optional_number(value: float | Decimal | None) -> exp.Expr:
    return exp.cast(exp.null() if value is None else number_literal(value), "DOUBLE")


def optional_text(value: str | None) -> exp.Expr:
    return exp.cast(exp.null(), "VARCHAR") if value is None else text(value)


def texts(values: Sequence[str]) -> exp.Expr:
    """A list of texts, which may be empty."""
    return exp.cast(exp.array(*map(text, values)), "VARCHAR[]")
