"""A certificate from JSON, which anybody may have edited: every key is there, none is unknown, all types are right."""

from __future__ import annotations

import datetime as dt
import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from ..arguments import fold
from ..bounds import BOUNDS
from ..errors import BadCertificate, InvalidParameter, SqlanonError
from ..functions.parameters import NULLS
from .record import CREATED, INFINITY, SCHEMA
from .release_call import BY_WEIGHTS, NO_CALL, Call, read_call, record_value
from .request import MEASURES, RISKS, promised_bounds

MOST_CHARACTERS = 10_000_000
"""A certificate of a table with thousands of columns is smaller."""

LARGEST, MOST_DIGITS = 2**63 - 1, 20
HASH = re.compile(r"[0-9a-f]{64}")
BOUND_NAMES = tuple(bound.name for bound in BOUNDS)

Reader = Callable[[str, object], Any]
"""Takes where a value stands, and the value; gives it in the type of the certificate, or raises SA303."""


def read_certificate(written: str | bytes) -> dict[str, Any]:
    """The fields of a certificate."""
    values: dict[str, Any] = struct(FIELDS)("the certificate", parse(written))
    if values.pop("schema") != SCHEMA:
        refuse(f"schema is not {SCHEMA}", "It was written by another version of sqlanon.")
    refuse_contradictions(values)
    return values


def parse(written: str | bytes) -> object:
    """The value of a JSON text. No key twice, no NaN, nothing that is not Unicode."""
    if not isinstance(written, str | bytes) or len(written) > MOST_CHARACTERS:
        refuse("it is no text, or too long for one")
    try:
        text = written.decode("utf-8") if isinstance(written, bytes) else written
        text.encode("utf-8")
        return json.loads(
            text,
            parse_constant=refuse_constant,
            parse_int=whole_number,
            parse_float=finite_number,
            object_pairs_hook=object_of_pairs,
        )
    except (ValueError, RecursionError) as error:  # what is not Unicode, and numbers that are too long, are ValueErrors
        raise BadCertificate("the certificate is not JSON.", HINT) from error


HINT = "Take the file as certify wrote it."


def refuse(problem: str, hint: str = HINT) -> NoReturn:
    raise BadCertificate(f"the certificate cannot be read: {problem}.", hint)


def refuse_constant(name: str) -> NoReturn:
    refuse(f"{name} is no number of JSON")


def whole_number(digits: str) -> int:
    """A whole number of 64 bits: nothing in a certificate is larger, and a longer one is no DOUBLE."""
    if len(digits) > MOST_DIGITS or abs(int(digits)) > LARGEST:
        refuse("a number is too large")
    return int(digits)


def finite_number(digits: str) -> float:
    if not math.isfinite(number := float(digits)):
        refuse("a number is too large")
    return number


def object_of_pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        refuse("a key is there twice")
    return dict(pairs)


def struct(readers: Mapping[str, Reader]) -> Reader:
    """An object with exactly these keys."""

    def read(where: str, value: object) -> dict[str, Any]:
        if not isinstance(value, dict):
            refuse(f"{where} must be an object")
        for name in readers:
            if name not in value:
                refuse(f"{where} has no {name!r}")
        for name in value:
            if name not in readers:
                refuse(f"{where} has {name[:40]!r}, which is not known")
        return {name: reader(name, value[name]) for name, reader in readers.items()}

    return read


def mapping(keys: tuple[str, ...] | None, reader: Reader) -> Reader:
    """An object with some of these keys, or with any."""

    def read(where: str, value: object) -> dict[str, Any]:
        if not isinstance(value, dict):
            refuse(f"{where} must be an object")
        if keys is not None and not set(value) <= set(keys):
            refuse(f"{where} has a key that is not known")
        return {text(where, name): reader(where, each) for name, each in value.items()}

    return read


def items(reader: Reader) -> Reader:
    """A list."""

    def read(where: str, value: object) -> tuple[Any, ...]:
        if not isinstance(value, list):
            refuse(f"{where} must be a list")
        return tuple(reader(where, each) for each in value)

    return read


def optional(reader: Reader) -> Reader:
    """null, or a value."""
    return lambda where, value: None if value is None else reader(where, value)


def one_of(choices: tuple[str, ...]) -> Reader:
    def read(where: str, value: object) -> str:
        if not isinstance(value, str) or value not in choices:
            refuse(f"{where} must be one of {', '.join(choices)}")
        return value

    return read


def text(where: str, value: object) -> str:
    if not isinstance(value, str) or not value:
        refuse(f"{where} must be text")
    try:
        value.encode("utf-8")
    except UnicodeError:
        refuse(f"{where} must be Unicode")
    return value


def count(where: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST:
        refuse(f"{where} must be a whole number from 0 up")
    return value


def real(where: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 1e300 or math.isnan(value):
        refuse(f"{where} must be a number")
    return value


def measure(where: str, value: object) -> float:
    return math.inf if value == INFINITY else real(where, value)


def flag(where: str, value: object) -> bool:
    if not isinstance(value, bool):
        refuse(f"{where} must be true or false")
    return value


def digest(where: str, value: object) -> str:
    if not isinstance(value, str) or not HASH.fullmatch(value):
        refuse(f"{where} must be a hash")
    return value


def moment(where: str, value: object) -> dt.datetime:
    try:
        return dt.datetime.strptime(value, CREATED).replace(tzinfo=dt.UTC)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        refuse(f"{where} must be a time like 2026-01-31T12:00:00Z")


def column(where: str, value: object) -> tuple[str, str]:
    read = struct({"name": text, "type": text})(where, value)
    return read["name"], read["type"]


def arguments(where: str, value: object) -> dict[str, object]:
    """The arguments of a call as certify records them, and nothing else: no seed, no table."""
    try:
        plain = record_value(value, where)
    except InvalidParameter as error:
        raise BadCertificate(f"the certificate cannot be read: {error.message}", HINT) from error
    if not isinstance(value, dict) or plain != value:
        refuse(f"{where} has what no certificate records")
    return value


MEASURED = items(
    struct(
        {
            "sa": optional(text),
            **dict.fromkeys((*MEASURES, "recursive_c", "tau"), optional(measure)),
            "broken_classes": count,
            "broken": items(one_of(BOUND_NAMES)),
        }
    )
)
KEPT = items(struct({"columns": items(text), "unique_rows": count, "alone_rows": count, "identifies": flag}))
RISK = struct(dict.fromkeys(RISKS, optional(real)))

FIELDS: Mapping[str, Reader] = {
    "schema": count,
    "version": text,
    "created": moment,
    "function": optional(text),
    "arguments": arguments,
    "qi": items(text),
    "sa": items(text),
    "entity": optional(text),
    "nulls": one_of(NULLS),
    "bounds": mapping(BOUND_NAMES, real),
    "promised": items(one_of(BOUND_NAMES)),
    "holds": optional(flag),
    "broken": items(one_of((*BOUND_NAMES, "group_id"))),
    "unchecked": items(text),
    "rows": count,
    "classes": count,
    "groups": optional(count),
    "columns": items(column),
    "measures": MEASURED,
    "risk": RISK,
    "people": optional(struct({"count": count, "measures": MEASURED, "risk": RISK})),
    "kept": KEPT,
    "source_rows": optional(count),
    "repeating_identifiers": optional(items(text)),
    "taxonomies": mapping(None, digest),
    "content_hash": digest,
}
"""The keys of a certificate."""


def refuse_contradictions(values: Mapping[str, Any]) -> None:
    """A certificate that says two things at once says nothing."""
    if not values["qi"]:
        refuse("qi is empty")
    for measured in (values, values["people"]):
        if measured and tuple(each["sa"] for each in measured["measures"]) != (values["sa"] or (None,)):
            refuse("measures are not those of sa")
    if not set(values["promised"]) <= set(values["bounds"]):
        refuse("a bound that was promised has no value")
    if not set(values["broken"]) <= {*values["promised"], "group_id"}:
        refuse("a bound is broken that was not promised")
    if values["holds"] != (False if values["broken"] else True if values["promised"] else None):
        refuse("holds contradicts what is broken")
    if (values["people"] is None) != (values["entity"] is None):
        refuse("people and entity go together")
    if (values["repeating_identifiers"] is None) != (values["source_rows"] is None):
        refuse("repeating_identifiers and source_rows go together")
    if values["people"] is not None and values["repeating_identifiers"]:
        refuse("people are told apart, and repeating_identifiers says that nobody does")
    if values["people"] is not None and values["people"]["count"] > values["rows"]:
        refuse("there are more people than rows")
    if values["source_rows"] is not None and values["source_rows"] < values["rows"]:
        refuse("the source has fewer rows than the release")
    if not set(values["taxonomies"]) <= {*values["qi"], *values["sa"]}:
        refuse("a taxonomy is of no column in qi or sa")
    call = read_recorded_call(values)
    refuse_other_columns(values, call)
    refuse_other_promises(values, call)


def read_recorded_call(values: Mapping[str, Any]) -> Call:
    """The call of the release function, read as it reads its arguments itself.

    What no certificate records has a name that stands for it: tables of taxonomies and of weights.
    """
    if values["function"] is None:
        if values["arguments"]:
            refuse("it has arguments, and no function")
        return NO_CALL
    arguments = dict(values["arguments"])
    if any(reason.endswith(f": {BY_WEIGHTS}") for reason in values["unchecked"]):
        options = arguments.get("options", {})
        if isinstance(options, dict):
            arguments["options"] = {**options, "weights": dict.fromkeys(values["sa"], "weights")}
    trees = dict.fromkeys(values["taxonomies"], "taxonomy")
    try:
        return read_call(values["function"], arguments, values["qi"], values["sa"], values["entity"], trees)
    except SqlanonError as error:
        raise BadCertificate(f"the certificate cannot be read: {error.message}", HINT) from error


def refuse_other_columns(values: Mapping[str, Any], call: Call) -> None:
    """All columns that it names are there, but for the one that told people apart when the release was made."""
    names = [fold(column) for column, _ in values["columns"]]
    if len(set(names)) < len(names):
        refuse("a column is there twice")
    for role in ("qi", "sa"):
        if not {fold(name) for name in values[role]} <= set(names):
            refuse(f"{role} names a column that it does not have")
    counted = values["entity"]
    if counted is not None and fold(counted) not in {*names, fold(call.entity or "")}:
        refuse("entity names a column that it does not have")


def refuse_other_promises(values: Mapping[str, Any], call: Call) -> None:
    """Refuse promises, or promises that cannot be checked, that the call does not make; other bounds were demanded."""
    for name, value in call.bounds.items():
        if values["bounds"].get(name) != value:
            refuse(f"{name} is another among the arguments than among the bounds")
    demanded = {name: value for name, value in values["bounds"].items() if name not in call.bounds}
    demanded |= {name: values["bounds"][name] for name in values["promised"] if name not in call.promised}
    if values["promised"] != promised_bounds(demanded, call.promised):
        refuse("what was promised is not what the bounds say")
    if values["unchecked"] != call.unchecked:
        refuse("what is unchecked is not what the arguments say")
    if values["function"] is not None and values["nulls"] != call.nulls:
        refuse("nulls is not what the arguments say")
