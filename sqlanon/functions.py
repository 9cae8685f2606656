"""The SQL functions that the planner answers, one row each.

A row says what reads the arguments of a function and what builds its statement. The arguments themselves, their order
and their defaults, stand in the macros of sql/ and nowhere else.

>>> find("privacy").builder
'verify:verification_statement'
>>> complete_arguments("best_k", {"tbl": "t", "qi": ["age"]})["max_gcp"]
0.2
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from .errors import InvalidParameter
from .sql import read_macros


@dataclass(frozen=True)
class Function:
    """`reader` and `builder` are module:function, below `sqlanon.request` and `sqlanon.planner`.

    The reader checks the arguments and gives a request, a frozen value; the builder makes the statement of it. Both are
    imported when they are first needed.
    """

    name: str
    reader: str
    builder: str


def _rows(reader: str, builder: str, *names: str) -> tuple[Function, ...]:
    return tuple(Function(name, reader, builder) for name in names)


FUNCTIONS = (
    *_rows("release:read_release", "release:release_statement", "kanonymous", "ldiverse", "taudiverse"),
    *_rows("release:read_tp", "release:outcome_statement", "tp_phases"),
    *_rows("release:read_full_domain", "release:levels_statement", "full_domain_levels"),
    *_rows("randomization:read_randomization", "randomization.randomize:randomize_statement", "randomize"),
    *_rows("randomization:read_randomization", "randomization.parameters:params_statement", "randomize_params"),
    *_rows("randomization:read_reconstruction", "randomization.reconstruct:reconstruct_statement", "reconstruct"),
    *_rows(
        "randomization:read_reconstruction", "randomization.reconstruct:distance_statement", "distribution_distance"
    ),
    *_rows("randomization:read_reconstruction", "randomization.reconstruct:steps_statement", "reconstruction_steps"),
    *_rows("randomization:read_privacy", "randomization.privacy:privacy_statement", "randomization_privacy"),
    *_rows("search:read_strongest", "searches:strongest_statement", "best_k", "best_l"),
    *_rows("search:read_frontier", "searches:frontier_statement", "frontier"),
    *_rows(
        "verification:read_verification",
        "verify:verification_statement",
        "equivalence_classes",
        "privacy",
        "recursive_c",
        "violations",
        "risk",
        "risk_by_size",
        "eligibility",
        "eligible_c",
        "buckets",
        "induced_frequencies",
        "tau_privacy",
        "excessive_protection",
    ),
    *_rows(
        "verification:read_measure",
        "verify:measure_statement",
        "k_anonymity",
        "alpha_k_anonymity",
        "l_diversity",
        "entropy_l_diversity",
        "recursive_c_l_diversity",
        "basic_beta_likeness",
        "enhanced_beta_likeness",
        "t_closeness",
        "delta_disclosure",
        "assert_private",
    ),
    *_rows("certification:read_certification", "certify.statement:certify_statement", "certify"),
    *_rows("requirements:read_requirement", "requirements:requirements_statement", "stronger_requirements"),
    *_rows(
        "evaluation:read_evaluation",
        "evaluate:evaluation_statement",
        "info_loss",
        "attribute_loss",
        "kl_divergence",
        "cube_kl",
        "count_query_error",
    ),
    *_rows("estimation:read_estimation", "estimate.statement:estimation_statement", "estimate"),
    *_rows("taxonomy:read_numeric", "made_taxonomies:numeric_statement", "numeric_taxonomy"),
    *_rows("taxonomy:read_prefix", "made_taxonomies:prefix_statement", "prefix_taxonomy"),
    *_rows("taxonomy:read_date", "made_taxonomies:date_statement", "date_taxonomy"),
    *_rows("taxonomy:read_edges", "edge_taxonomy:edge_statement", "edge_taxonomy"),
    *_rows("taxonomy:read_check", "taxonomy_check:check_statement", "check_taxonomy"),
    *_rows("columns:read_columns", "columns.description:columns_statement", "columns"),
    *_rows("columns:read_combinations", "columns.combinations:combinations_statement", "quasi_identifiers"),
    *_rows("comparison:read_comparison", "comparison.statement:comparison_statement", "compare_releases"),
    *_rows("dataset:read_adult", "datasets:adult_statement", "adult"),
    *_rows("dataset:read_taxonomy", "datasets:taxonomy_statement", "adult_taxonomy", "census_taxonomy"),
)


def find(name: str) -> Function:
    """The row of a function; SA102 lists the choices."""
    for function in FUNCTIONS:
        if function.name == name:
            return function
    raise InvalidParameter.unknown("function", name, (function.name for function in FUNCTIONS))


def complete_arguments(function: str, arguments: Mapping[str, object]) -> dict[str, object]:
    """The arguments of a call in the order of the macro, with its default, or None, for each that was left out."""
    parameters = signature(function)
    for name in arguments:
        if name not in parameters:
            raise InvalidParameter.unknown("argument", name, parameters)
    return {**parameters, **arguments}


@cache
def signature(function: str) -> Mapping[str, object]:
    """The parameters of a function with their defaults, None for those without."""
    (macro,) = (macro for macro in read_macros() if macro.name == function)
    (variant,) = macro.variants
    return {name.strip('"'): _literal(rest.removeprefix(":=").strip()) for name, rest in variant.parameters}


def _literal(text: str) -> object:
    """The value of a default: NULL, TRUE, FALSE, a number, a text or a list of these."""
    words = {"null": "None", "true": "True", "false": "False", "": "None"}
    return ast.literal_eval(words.get(text.lower(), re.sub(r"\bNULL\b", "None", text)))
