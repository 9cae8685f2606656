"""A policy from its file: every key is known, every value is checked, and all paths are full.

>>> columns = {"age": "quasi-identifier", "disease": "sensitive", "name": "identifier"}
>>> output = {"release": "release.parquet"}
>>> policy = {"source": "people.csv", "columns": columns, "release": {"l": 3}, "output": output}
>>> publication = read_policy(policy)
>>> publication.function, publication.arguments["qi"], publication.columns
('ldiverse', ['age'], ('age', 'disease', 'name'))
>>> read_policy({**policy, "release": {"l": 3, "alog": "anatomy"}})
Traceback (most recent call last):
sqlanon.errors.InvalidParameter: [SA102] [release] has the key 'alog', which is not known. Did you mean 'algo'? …
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..approval import RECORD_KEYS, read_record
from ..arguments import text
from ..bounds import NAMES
from ..errors import InvalidParameter
from ..publishing.engine import SETTINGS, read_engine
from ..publishing.paths import (
    file_of,
    fill_date,
    follow,
    full_path,
    is_file_or_table,
    read_file_or_table,
    read_source,
    refuse_address,
)
from ..publishing.publication import Publication, certificate_path, release_function
from .bounds import read_bounds, read_rows
from .keys import known_keys, table_of
from .roles import IDENTIFIER, KEEP, QUASI_IDENTIFIER, SENSITIVE, read_columns, read_identifying, read_types

Source = str | os.PathLike[str] | Mapping[str, object]
"""A policy: the path of its file, or what is in it."""

TABLES = ("source", "columns", "release", "bounds", "output", "record", "engine")
NEEDED = ("source", "columns", "release", "output")
PARAMETERS = NAMES
ARGUMENTS = ("algo", "format", "recode", "nulls", "entity", "options")
OUTPUTS = ("release", "certificate", "report", "public_report")


def read_policy(policy: Source) -> Publication:
    """The publication that a policy describes. SA101 or SA102 if it cannot be published."""
    if isinstance(policy, Mapping):
        return read_tables(policy, Path.cwd())
    path = follow(full_path("policy", os.fspath(policy)))
    content = read_bytes(path)
    return read_tables(parse(path, content), path.parent, path, sha256(content).hexdigest())


def read_bytes(path: Path) -> bytes:
    """The bytes of a file."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise InvalidParameter(f"there is no policy {str(path)!r}.", "sqlanon init writes a first one.") from None
    except OSError as error:
        raise InvalidParameter(f"the policy {str(path)!r} cannot be read: {error.strerror}.") from None


def parse(path: Path, content: bytes) -> Mapping[str, object]:
    """The tables of a file."""
    try:
        return tomllib.loads(content.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        where = f": {error}" if isinstance(error, tomllib.TOMLDecodeError) else ""
        raise InvalidParameter(f"the policy {str(path)!r} is not TOML{where}.") from None


def read_tables(
    policy: Mapping[str, object], folder: Path, path: Path | None = None, policy_hash: str = ""
) -> Publication:
    """Read table by table; paths are relative to the folder."""
    known_keys("the policy", policy, TABLES)
    for name in NEEDED:
        if name not in policy:
            raise InvalidParameter(f"the policy has no {name!r}.", f"It needs {', '.join(NEEDED)}.")
    roles, trees = read_columns(table_of("columns", policy["columns"]))
    stated = table_of("release", policy["release"])
    refuse_seed(stated)
    known_keys("[release]", stated, (*PARAMETERS, *ARGUMENTS, "people"))
    rows_are_people = read_people(stated)
    stated = {name: value for name, value in stated.items() if name != "people"}
    function = release_function([name for name in PARAMETERS if name in stated])
    arguments = {**columns_of(roles, function), **stated}
    refuse_entity(stated.get("entity"), roles)
    taxonomy = {column: full_taxonomy(folder, tree) for column, tree in trees.items()}
    output = read_output(table_of("output", policy["output"]), folder)
    known = {**arguments, "taxonomy": taxonomy} if taxonomy else arguments
    bounds, most = read_bounds(table_of("bounds", policy.get("bounds", {})), function, known)
    record = table_of("record", policy.get("record", {}))
    known_keys("[record]", record, RECORD_KEYS)
    engine = table_of("engine", policy.get("engine", {}))
    known_keys("[engine]", engine, SETTINGS)
    return Publication(
        source=read_source("source", text("source", policy["source"]), folder),
        target=output["release"],
        function=function,
        arguments=arguments,
        taxonomy=taxonomy,
        bounds=bounds,
        most=most,
        types=read_types(table_of("columns", policy["columns"])),
        rows=read_rows(table_of("bounds", policy.get("bounds", {}))),
        certificate=output["certificate"],
        report=output["report"],
        public_report=output["public_report"],
        columns=tuple(roles),
        strict=True,
        rows_are_people=rows_are_people,
        identifying=read_identifying(table_of("columns", policy["columns"])),
        record=read_record(record, policy_hash),
        engine=read_engine(engine, folder),
        inputs=tuple(taxonomy_files(taxonomy)) + (() if path is None else (path,)),
    )


def columns_of(roles: Mapping[str, str], function: str) -> dict[str, Any]:
    """The columns of each role, as the release function takes them."""
    of_role = {role: [name for name, other in roles.items() if other == role] for role in dict.fromkeys(roles.values())}
    if QUASI_IDENTIFIER not in of_role:
        raise InvalidParameter("[columns] has no quasi-identifier.", "By which columns could a person be recognised?")
    sensitive = of_role.get(SENSITIVE, [])
    if sensitive and function == "kanonymous":
        raise InvalidParameter(
            "[release] has k, which protects no sensitive column.",
            "Give l instead, or tau and l; or make the column a quasi-identifier.",
        )
    if not sensitive and function != "kanonymous":
        raise InvalidParameter(
            "[release] has bounds of sensitive values, and no column is sensitive.",
            "Name one in [columns], or give k alone.",
        )
    columns: dict[str, Any] = {"qi": of_role[QUASI_IDENTIFIER]}
    if sensitive:
        columns["sa"] = sensitive[0] if len(sensitive) == 1 else sensitive
    return {**columns, "keep": of_role[KEEP]} if KEEP in of_role else columns


def refuse_seed(release: Mapping[str, object]) -> None:
    """Refuse a seed: whoever knows it may undo the draws."""
    options = release.get("options")
    if "seed" in release or (isinstance(options, Mapping) and "seed" in options):
        raise InvalidParameter(
            "a seed is a secret, and a policy is no place for one.", "Set the variable SQLANON_SEED where it runs."
        )


def read_people(release: Mapping[str, object]) -> bool:
    """Whether the policy says that every row is another person."""
    if "people" not in release:
        return False
    if release["people"] != "rows":
        raise InvalidParameter('[release]: people can only be "rows".', "A column that tells people apart is entity.")
    if release.get("entity") is not None:
        raise InvalidParameter('[release] has entity and people = "rows".', "Leave one of them out.")
    return True


def refuse_entity(entity: object, roles: Mapping[str, str]) -> None:
    """The column that tells people apart is not published."""
    if entity is None:
        return
    if roles.get(text("entity", entity)) != IDENTIFIER:
        raise InvalidParameter(f"entity: [columns] has no identifier {entity!r}.", "It is used, and not published.")


def read_output(output: Mapping[str, object], folder: Path) -> dict[str, Any]:
    """The targets of a publication."""
    known_keys("[output]", output, OUTPUTS)
    if "release" not in output:
        raise InvalidParameter("[output] has no 'release'.", 'Write release = "release.parquet".')
    texts = {name: fill_date(text(f"output.{name}", value)) for name, value in output.items()}
    target = read_file_or_table("output.release", texts["release"], folder)
    paths = {name: full_path(f"output.{name}", texts[name], folder) for name in OUTPUTS[1:] if name in texts}
    return {"release": target, "report": None, "public_report": None, "certificate": None, **paths} | (
        {} if "certificate" in paths else {"certificate": certificate_path(target)}
    )


def full_taxonomy(folder: Path, value: str) -> str:
    """A taxonomy with its full path; SQL as it is."""
    if not is_file_or_table(value):
        return value
    refuse_address("taxonomy", value)
    return str(folder / value)


def taxonomy_files(taxonomy: Mapping[str, str]) -> list[Path]:
    """The files that taxonomies are read from."""
    paths = [file_of(read_file_or_table("taxonomy", tree)) for tree in taxonomy.values() if is_file_or_table(tree)]
    return [path for path in paths if path is not None]
