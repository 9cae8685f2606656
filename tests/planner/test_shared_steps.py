"""Steps that several measures of a certificate need are computed once."""

from __future__ import annotations

import re

import pytest

from sqlanon.statement.planning import statement

RELEASE = {"rel": "released", "qi": ["age", "zip"], "sa": "disease"}


@pytest.mark.parametrize(
    "bounds", [{"l": 3}, {"k": 2, "l": 3, "c": 2, "entropy_l": 2, "t": 0.5}, {"tau": 0.5, "l": 3}], ids=str
)
@pytest.mark.parametrize("step", ["records", "keys", "cells", "sizes", "classes"])
def test_the_release_is_grouped_once_for_all_measures(bounds: dict[str, float], step: str) -> None:
    written = statement("certify", {**RELEASE, **bounds})
    assert len(re.findall(rf"_sqlanon_{step}\w* AS MATERIALIZED", written)) == 1


def test_people_and_rows_are_counted_apart() -> None:
    written = statement("certify", {**RELEASE, "l": 3, "entity": "person"})
    assert len(re.findall(r"_sqlanon_sizes\w* AS MATERIALIZED", written)) == 2
