"""How important columns are to info_loss: weighted means of what each of them lost and tells."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from connections import TestConnection
from hypothesis import given
from hypothesis import strategies as st
from oracles import loss

from .losses import LEVELS, PATIENTS, answers, attribute, checked, close, one, table

COLUMNS = "num INTEGER, city VARCHAR, sa VARCHAR"
TAXONOMY = "taxonomy := {'city': 'levels'}"
ARGUMENTS = f"'t', 'r', ['num', 'city'], {TAXONOMY}"
RELEASE = [("[20, 25]", "A", "flu"), ("[20, 25]", "A", "*"), ("[40, 60]", "*", "flu"), ("[40, 60]", "*", "cold")]


@pytest.fixture(scope="module", autouse=True)
def patients(con: TestConnection) -> None:
    table(con, "t", COLUMNS, *PATIENTS)
    table(con, "r", COLUMNS.replace("INTEGER", "VARCHAR"), *RELEASE)
    table(con, "levels", "leaf VARCHAR, a VARCHAR, b VARCHAR, top VARCHAR", *LEVELS)


def expect(weights: dict[str, Fraction]) -> tuple[Any, Any]:
    """The gcp over the quasi-identifiers, information over all columns. The release has lost one of five rows."""
    attributes = [
        attribute("num", [row[0] for row in PATIENTS]),
        attribute("city", [row[1] for row in PATIENTS], LEVELS),
    ]
    release = [row[:2] for row in RELEASE]
    num, city = loss.attribute_loss(attributes, release)
    all_of_it = loss.info_loss(attributes, release, [row[2] for row in PATIENTS], [row[2] for row in RELEASE])
    sa = 3 * all_of_it["information"] - num["information"] - city["information"]
    of_num, of_city, of_sa = (weights.get(name, Fraction(1)) for name in ("num", "city", "sa"))
    gcp = (of_num * num["ncp"] + of_city * city["ncp"]) / (of_num + of_city) if of_num + of_city else None
    told = of_num * num["information"] + of_city * city["information"] + of_sa * sa
    return gcp, told / (of_num + of_city + of_sa)


def as_struct(weights: dict[str, Fraction]) -> str:
    return "{" + ", ".join(f"'{name}': {float(weight)!r}" for name, weight in weights.items()) + "}"


@checked
@given(
    st.dictionaries(
        st.sampled_from(["num", "city", "sa"]), st.integers(0, 12).map(lambda n: Fraction(n, 4)), min_size=1
    )
)
def test_gcp_and_information_are_weighted_means(con: TestConnection, weights: dict[str, Fraction]) -> None:
    call = f"info_loss({ARGUMENTS}, sa := 'sa', weights := {as_struct(weights)})"
    if not any(weights.get(name, 1) for name in ("num", "city", "sa")):
        assert con.refusal(f"FROM {call}").startswith("[SA102] weights: all columns weigh 0.")
        return
    gcp, information = expect(weights)
    assert one(con, f"SELECT gcp, information FROM {call}") == close({"gcp": gcp, "information": information})


def test_equal_weights_change_nothing(con: TestConnection) -> None:
    plain = con.rows(f"FROM info_loss({ARGUMENTS}, sa := 'sa')")
    for weights in ("NULL", "{'num': 1}", "MAP {'NUM': 1, 'city': 1, 'sa': 1.0}"):
        assert con.rows(f"FROM info_loss({ARGUMENTS}, sa := 'sa', weights := {weights})") == plain


def test_what_weighs_nothing_does_not_count(con: TestConnection) -> None:
    of_city = one(con, f"FROM info_loss('t', 'r', ['city'], {TAXONOMY})")
    weighed = one(con, f"FROM info_loss({ARGUMENTS}, weights := {{'num': 0}})")
    assert (weighed["gcp"], weighed["information"]) == (of_city["gcp"], of_city["information"])
    assert weighed["classes"] == 2


def test_attribute_loss_shows_the_weights_that_gcp_has(con: TestConnection) -> None:
    plain = answers(con, f"FROM attribute_loss({ARGUMENTS})")
    each = answers(con, f"FROM attribute_loss({ARGUMENTS}, weights := {{'city': 2.5}})")
    assert [row.pop("weight") for row in each] == [1.0, 2.5]
    assert each == plain
    ((gcp,),) = con.rows(f"SELECT gcp FROM info_loss({ARGUMENTS}, weights := {{'city': 2.5}})")
    mean = f"sum(weight * ncp) / sum(weight) FROM attribute_loss({ARGUMENTS}, weights := {{'city': 2.5}})"
    assert con.rows(f"SELECT {mean}") == [(pytest.approx(gcp),)]


@pytest.mark.parametrize(
    ("weights", "error"),
    [
        ("{'town': 2}", "[SA101] weights names column 'town', which is not in qi or sa."),
        ("{'sa': 2}", "[SA101] weights names column 'sa', which is not in qi or sa."),
        ("MAP {'num': 1, 'NUM': 2}", "[SA101] weights names column 'num' twice."),
        ("{'num': -1}", "[SA102] the weight of column 'num' must be a number from 0 up."),
        ("{'num': NULL}", "[SA102] the weight of column 'num' must be a number from 0 up."),
        ("{'num': 'much'}", "[SA102] the weight of column 'num' must be a number, not text."),
        ("{'num': true}", "[SA102] the weight of column 'num' must be a number, not a bool."),
        ("{'num': 'inf'::DOUBLE}", "[SA102] the weight of column 'num' must be a number, not NaN or infinity."),
        ("{'num': 0, 'city': 0}", "[SA102] weights: all columns weigh 0."),
        ("2", "[SA102] weights must be a struct or map from column to number, not a int."),
    ],
)
def test_weights_that_mean_nothing_are_refused(con: TestConnection, weights: str, error: str) -> None:
    for function in ("info_loss", "attribute_loss"):
        assert con.refusal(f"FROM {function}({ARGUMENTS}, weights := {weights})").startswith(error)
