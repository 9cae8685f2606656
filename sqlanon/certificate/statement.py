"""The statement of certify: one row, from one reading of the release.

release      the whole release
content …    what it is: see content
judged       one row: what it holds, for each sensitive attribute, by rows
of_people    the same by people, if an entity tells them apart
kept         one row: the columns that are published as they are, and which of them identify: see identifiers
repeating    one row: rows of the source, and identifiers that repeat in it, if there is a source
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from sqlglot import exp

from sqlanon.bounds import BOUNDS
from sqlanon.statement.template import Once, Step, column, expression, number_literal, query, struct, text, with_steps
from sqlanon.verify.request import Verifications
from sqlanon.version import __version__

from .content import RELEASE, column_outlines, content_steps, release_step, taxonomy_hashes
from .identifiers import kept_column_steps, source_steps
from .request import MEASURES, RISKS, Certification, Judgement
from .sharing import SharedSteps


def certify_statement(request: Certification, types: Sequence[tuple[str, str]] = ()) -> exp.Select:
    """Build the statement of a certificate; `types` of columns that were read as text."""
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
            :people AS people,
            (SELECT kept FROM kept) AS kept,
            :source_rows AS source_rows,
            :repeating AS repeating_identifiers,
            :taxonomies AS taxonomies,
            content_hash
        FROM (
            SELECT
                content.*, described.types, described.names, judged.*,
                CASE
                    WHEN complete IS FALSE THEN list_concat(broken_by_any.names, ['group_id'])
                    ELSE broken_by_any.names
                END AS broken
            FROM content CROSS JOIN described CROSS JOIN judged CROSS JOIN broken_by_any
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
        columns=column_outlines(),
        people=people_struct(request),
        source_rows=source_field(request, "source_rows", "BIGINT"),
        repeating=source_field(request, "identifiers", "VARCHAR[]"),
        taxonomies=taxonomy_hashes(request.taxonomy),
    )
    return with_steps(certificate, certificate_steps(request, types))


def certificate_steps(request: Certification, types: Sequence[tuple[str, str]]) -> dict[str, Step]:
    """All steps of a certificate."""
    steps: dict[str, Step] = {
        RELEASE: release_step(request.rel, types),
        **content_steps(),
        **judgement_steps(request),
        **kept_column_steps(request.qi, request.sa),
    }
    if request.src is not None:
        steps |= source_steps(request.src, request.sa, counts_people=request.people is not None)
    return steps


def judgement_steps(request: Certification) -> dict[str, Step]:
    """The steps that judge a release: by rows, and by people if a column identifies them."""
    shared = SharedSteps()
    judgements = {"judged": Once(judge_release(request, request.rows, RELEASE, shared))}
    if request.people is not None:
        rel = RELEASE if request.people_rel is None else request.people_rel
        judgements["of_people"] = Once(judge_release(request, request.people, rel, shared))
    return {**shared.steps, **judgements, "broken_by_any": Once(broken_by_any(request))}


def broken_by_any(request: Certification) -> exp.Select:
    """One row: the bounds that rows or people break, in order."""
    if request.people is None:
        return query("SELECT broken_bounds AS names FROM judged")
    return query(
        """
        SELECT list_filter(:names, lambda name: list_contains(every, name)) AS names
        FROM (
            SELECT list_concat(judged.broken_bounds, of_people.broken_bounds) AS every
            FROM judged CROSS JOIN of_people
        ) AS together
        """,
        names=texts(request.promised),
    )


def people_struct(request: Certification) -> exp.Expr:
    """The number of people, and their measures; NULL where rows were counted alone."""
    counted = "SELECT {'count': counted, 'measures': measures, 'risk': risk} FROM :judged"
    if request.people is None:  # the type stays the same
        return query(f"{counted} WHERE FALSE", judged="judged").subquery()
    return query(counted, judged="of_people").subquery()


def judge_release(request: Certification, judgement: Judgement, rel: str, shared: SharedSteps) -> exp.Select:
    """One row: the bounds that are broken, the classes, measures (one struct per sensitive attribute), the risk, and
    how many are counted.
    """
    attributes: Sequence[str | None] = request.sa or (None,)
    each = [
        measures_of_one(request, judgement, rel, position, name, shared) for position, name in enumerate(attributes)
    ]
    measures: exp.Query = each[0] if len(each) == 1 else exp.union(*each, distinct=False, copy=False)
    return query(
        """
        SELECT
            list_filter(:names, lambda name: list_contains(all_broken, name)) AS broken_bounds,
            classes, measures, risk, counted
        FROM (
            SELECT
                max(classes) AS classes, list(measured ORDER BY position ASC) AS measures,
                flatten(list(broken_bounds)) AS all_broken
            FROM :measures
        ) AS together
        CROSS JOIN (SELECT :risk AS risk, people AS counted FROM :risks) AS exposed
        """,
        names=texts(request.promised),
        measures=measures.subquery("each_attribute"),
        risk=struct((name, column(measure, "risks")) for name, measure in RISKS.items()),
        risks=shared.statement(replace(judgement.risk, tbl=rel, sa=attributes[0])).subquery("risks"),
    )


def measures_of_one(
    request: Certification, judgement: Judgement, rel: str, position: int, name: str | None, shared: SharedSteps
) -> exp.Select:
    """One row for one sensitive attribute: its position, classes, broken bounds, and all as a struct."""

    def part(verifications: Verifications | None) -> exp.Select | None:
        return None if verifications is None else shared.statement(replace(verifications.each[position], tbl=rel))

    privacy = replace(judgement.privacy.each[position], tbl=rel)
    measured = {
        measure: expression(f"privacy.{measure}")
        if measure != "t_hierarchical" or privacy.taxonomy is not None
        else expression("CAST(NULL AS DOUBLE)")
        for measure in MEASURES
    }
    fields = (
        ("sa", optional_text(name)),
        *measured.items(),
        ("recursive_c", column_of("c", part(judgement.recursive_c))),
        ("tau", column_of("tau", part(judgement.tau_privacy))),
        ("broken_classes", expression("broken.broken_classes")),
        ("broken", expression("broken.broken_bounds")),
    )
    return query(
        """
        SELECT CAST(:position AS INTEGER) AS position, privacy.classes, broken.broken_bounds, :measured AS measured
        FROM :privacy CROSS JOIN :broken
        """,
        position=exp.Literal.number(position),
        measured=struct(fields),
        privacy=shared.statement(privacy).subquery("privacy"),
        broken=broken_bounds(part(judgement.violations), request.promised).subquery("broken"),
    )


def broken_bounds(violations: exp.Select | None, promised: Sequence[str]) -> exp.Select:
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
        violations=violations.subquery("violations"),
    )


def column_of(name: str, measured: exp.Select | None) -> exp.Expr:
    """A measure that needs a bound to say what it means; NULL without it."""
    if measured is None:
        return expression("CAST(NULL AS DOUBLE)")
    selected = exp.select(name).from_(measured.subquery("measured"), copy=False)
    return exp.cast(selected.subquery(), "DOUBLE")


def source_field(request: Certification, name: str, kind: str) -> exp.Expr:
    """A figure of the source; NULL without one."""
    return exp.cast(exp.null(), kind) if request.src is None else exp.select(name).from_("repeating").subquery()


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
