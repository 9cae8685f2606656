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
from pathlib import Path
from typing import Any

from ..arguments import text
from ..errors import InvalidParameter
from ..publishing.places import Place, file_of, full_path, is_place, read_place
from ..publishing.publication import Publication, certificate_path, release_function
from .bounds import read_bounds
from .keys import known_keys, table_of
from .roles import IDENTIFIER, KEEP, QUASI_IDENTIFIER, SENSITIVE, read_columns

Source = str | os.PathLike[str] | Mapping[str, object]
"""A policy: the path of its file, or what is in it."""

TABLES = ("source", "columns", "release", "bounds", "output")
PARAMETERS = ("k", "l", "tau")
ARGUMENTS = ("algo", "format", "recode", "nulls", "entity", "options")
OUTPUTS = ("release", "certificate", "report", "public_report")


def read_policy(policy: Source) -> Publication:
    """What a policy says is published. SA101 or SA102 if it cannot be."""
    if isinstance(policy, Mapping):
        return read_tables(policy, Path.cwd())
    path = full_path("policy", os.fspath(policy))
    return read_tables(parse(path), path.parent, path)


def parse(path: Path) -> Mapping[str, object]:
    """What is in a file."""
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8"))
    except FileNotFoundError:
        raise InvalidParameter(f"there is no policy {str(path)!r}.", "sqlanon init writes a first one.") from None
    except OSError as error:
        raise InvalidParameter(f"the policy {str(path)!r} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        where = f": {error}" if isinstance(error, tomllib.TOMLDecodeError) else ""
        raise InvalidParameter(f"the policy {str(path)!r} is not TOML{where}.") from None


def read_tables(policy: Mapping[str, object], folder: Path, path: Path | None = None) -> Publication:
    """Read table by table; paths are relative to the folder."""
    known_keys("the policy", policy, TABLES)
    for name in ("source", "columns", "release", "output"):
        if name not in policy:
            raise InvalidParameter(f"the policy has no {name!r}.", f"It needs all of {', '.join(TABLES)} but bounds.")
    roles, trees = read_columns(table_of("columns", policy["columns"]))
    stated = table_of("release", policy["release"])
    refuse_seed(stated)
    known_keys("[release]", stated, (*PARAMETERS, *ARGUMENTS))
    function = release_function([name for name in PARAMETERS if name in stated])
    arguments = {**columns_of(roles, function), **stated}
    refuse_entity(stated.get("entity"), roles)
    taxonomy = {column: absolute(folder, tree) for column, tree in trees.items()}
    output = read_output(table_of("output", policy["output"]), folder)
    known = {**arguments, "taxonomy": taxonomy} if taxonomy else arguments
    bounds, most = read_bounds(table_of("bounds", policy.get("bounds", {})), function, known)
    return Publication(
        source=place(folder, "source", policy["source"]),
        target=output["release"],
        function=function,
        arguments=arguments,
        taxonomy=taxonomy,
        bounds=bounds,
        most=most,
        certificate=output["certificate"],
        report=output["report"],
        public_report=output["public_report"],
        columns=tuple(roles),
        inputs=tuple(files_among(taxonomy)) + (() if path is None else (path,)),
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
        raise InvalidParameter("[release] has l, and no column is sensitive.", "Name one in [columns], or give k.")
    columns: dict[str, Any] = {"qi": of_role[QUASI_IDENTIFIER]}
    if sensitive:
        columns["sa"] = sensitive[0] if len(sensitive) == 1 else sensitive
    return {**columns, "keep": of_role[KEEP]} if KEEP in of_role else columns


def refuse_seed(release: Mapping[str, object]) -> None:
    """Whoever knows the seed may undo what was drawn."""
    options = release.get("options")
    if "seed" in release or (isinstance(options, Mapping) and "seed" in options):
        raise InvalidParameter(
            "a seed is a secret, and a policy is no place for one.", "Set the variable SQLANON_SEED where it runs."
        )


def refuse_entity(entity: object, roles: Mapping[str, str]) -> None:
    """The column that tells people apart is not published."""
    if entity is None:
        return
    if roles.get(text("entity", entity)) != IDENTIFIER:
        raise InvalidParameter(f"entity: [columns] has no identifier {entity!r}.", "It is used, and not published.")


def read_output(output: Mapping[str, object], folder: Path) -> dict[str, Any]:
    """Where everything goes."""
    known_keys("[output]", output, OUTPUTS)
    if "release" not in output:
        raise InvalidParameter("[output] has no 'release'.", 'Write release = "release.parquet".')
    target = place(folder, "output.release", output["release"])
    paths = {
        name: full_path(f"output.{name}", str(folder / text(f"output.{name}", output[name])))
        for name in OUTPUTS[1:]
        if name in output
    }
    return {"release": target, "report": None, "public_report": None, "certificate": None, **paths} | (
        {} if "certificate" in paths else {"certificate": certificate_path(target)}
    )


def place(folder: Path, argument: str, value: object) -> Place:
    """A file or a table."""
    return read_place(argument, absolute(folder, text(argument, value)))


def absolute(folder: Path, value: str) -> str:
    """A place with its full path; SQL as it is."""
    return str(folder / value) if is_place(value) else value


def files_among(taxonomy: Mapping[str, str]) -> list[Path]:
    """The files that taxonomies are read from."""
    return [file_of(read_place("taxonomy", tree)) for tree in taxonomy.values() if is_place(tree)]
