"""The statement behind compare_releases.

Both releases leave some sensitive values possible for a person. Who reads both keeps those that are in both: people, or
classes that may hold the same people, are listed if these are fewer than l.
"""

from __future__ import annotations

from sqlglot import exp

from sqlanon.statement.template import Once, Step, column, query, struct, with_steps

from .candidates import candidate_steps
from .regions import region_steps
from .releases import RELEASES, ComparedColumns, in_class, release_steps
from .request import Comparison


def comparison_statement(request: Comparison) -> exp.Select:
    """Build the statement: people, if they are known, or else classes; one by one, or summed up."""
    compared = ComparedColumns(request)
    steps: dict[str, Step] = {**release_steps(compared), **candidate_steps(compared)}
    if request.entity is not None:
        steps |= {f"{release}_people": Once(people_of(release, compared)) for release in RELEASES}
        return with_steps(by_person() if request.detail == "people" else summary_of_people(), steps)
    steps |= region_steps(compared)
    return with_steps(by_class(compared) if request.detail == "pairs" else summary_of_rows(), steps)


def people_of(release: str, compared: ComparedColumns) -> exp.Select:
    """The values that each person may have by one release: those of all classes that the person is in."""
    return query(
        """
        SELECT
            CAST(entity AS VARCHAR) AS person, any_value(entity) AS entity,
            list_distinct(flatten(list(codes))) AS codes
        FROM (SELECT DISTINCT entity, class FROM :rows WHERE NOT entity IS NULL) AS people
        JOIN :candidates AS candidates ON candidates.class = people.class
        GROUP BY CAST(entity AS VARCHAR)
        """,
        rows=in_class(release, compared).subquery("rows"),
        candidates=f"{release}_candidates",
    )


def people_in_both() -> exp.Select:
    """The values that either release leaves possible for those who are in both."""
    return query(
        """
        SELECT old_people.entity, old_people.codes AS old_codes, new_people.codes AS new_codes
        FROM old_people JOIN new_people ON new_people.person = old_people.person
        """
    )


def summary_of_people() -> exp.Select:
    """How many of those who are in both are left with so many values."""
    return query(
        """
        SELECT
            common_values AS candidates, count(*) AS people,
            count(*) / (SELECT CAST(count(*) AS DOUBLE) FROM :everybody) AS share
        FROM :narrowed
        GROUP BY common_values
        ORDER BY common_values ASC
        """,
        everybody=people_in_both().subquery("everybody"),
        narrowed=narrower_pairs(people_in_both()).subquery("narrowed"),
    )


def summary_of_rows() -> exp.Select:
    """How many rows of the new release may be, and are, left with so many values."""
    return query(
        """
        SELECT
            struct_extract(line, 'candidates') AS candidates, struct_extract(line, 'rows') AS rows,
            struct_extract(line, 'rows') / (SELECT CAST(sum(size) AS DOUBLE) FROM new_classes) AS share,
            struct_extract(line, 'certain_rows') AS certain_rows, struct_extract(line, 'pairs') AS pairs
        FROM (SELECT unnest(struct_extract(found, 'summary')) AS line FROM narrowing) AS lines
        ORDER BY candidates ASC
        """
    )


def by_person() -> exp.Select:
    """People who are in both releases, and have too few values in common. None in common: their value has changed."""
    return query(
        """
        SELECT entity, old_values, new_values, common_values, candidates, status
        FROM :narrowed
        ORDER BY common_values ASC, entity ASC
        """,
        narrowed=narrower_pairs(people_in_both()).subquery("narrowed"),
    )


def by_class(compared: ComparedColumns) -> exp.Select:
    """Pairs of classes that overlap. If they have no value in common, nobody is in both."""
    pairs = query(
        """
        SELECT
            matched.*, old_candidates.codes AS old_codes, new_candidates.codes AS new_codes,
            old_cells.size AS old_rows, new_cells.size AS new_rows, old_cells.cells = new_cells.cells AS equal
        FROM (
            SELECT struct_extract(pair, 'old_class') AS old_class, struct_extract(pair, 'new_class') AS new_class
            FROM (SELECT unnest(struct_extract(found, 'pairs')) AS pair FROM narrowing) AS opened
        ) AS matched
        JOIN old_candidates ON old_candidates.class = matched.old_class
        JOIN new_candidates ON new_candidates.class = matched.new_class
        JOIN old_cells ON old_cells.class = matched.old_class
        JOIN new_cells ON new_cells.class = matched.new_class
        """
    )
    cells = {
        release: struct(
            (name, column(key, f"{release}_classes"))
            for key, name in zip(compared.qi, compared.request.qi, strict=True)
        )
        for release in RELEASES
    }
    shown = query(
        """
        SELECT
            narrowed.old_rows, narrowed.new_rows, narrowed.old_values, narrowed.new_values, narrowed.common_values,
            narrowed.candidates, narrowed.status, CASE WHEN narrowed.equal THEN 'equal' ELSE 'overlap' END AS matched,
            :old_cells AS old_class, :new_cells AS new_class
        FROM :narrowed
        JOIN old_classes ON old_classes.class = narrowed.old_class
        JOIN new_classes ON new_classes.class = narrowed.new_class
        """,
        old_cells=cells["old"],
        new_cells=cells["new"],
        narrowed=narrower_pairs(pairs).subquery("narrowed"),
    )
    return query(
        """
        SELECT
            old_class, new_class, matched, old_rows, new_rows, old_values, new_values, common_values, candidates, status
        FROM :shown
        ORDER BY common_values ASC, matched ASC, CAST(old_class AS VARCHAR) ASC, CAST(new_class AS VARCHAR) ASC
        """,
        shown=shown.subquery("shown"),
    )


def narrower_pairs(pairs: exp.Select) -> exp.Select:
    """Pairs of old_codes and new_codes that have fewer than l in common, and fewer than either has."""
    return query(
        """
        SELECT
            *,
            list_transform(_sqlanon_sorted(common), lambda code: list_extract(values_by_code, code + 1)) AS candidates,
            CASE common_values WHEN 0 THEN 'changed' WHEN 1 THEN 'pinned' ELSE 'narrowed' END AS status
        FROM (
            SELECT *, len(common) AS common_values, len(old_codes) AS old_values, len(new_codes) AS new_values
            FROM (
                SELECT *, list_filter(old_codes, lambda code: list_contains(new_codes, code)) AS common
                FROM :pairs
            ) AS intersected
        ) AS compared
        CROSS JOIN threshold
        CROSS JOIN (SELECT list(value ORDER BY code ASC) AS values_by_code FROM base_values) AS named
        WHERE common_values < l AND common_values < least(old_values, new_values)
        """,
        pairs=pairs.subquery("pairs"),
    )
