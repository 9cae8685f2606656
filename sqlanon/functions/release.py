"""The functions that publish groups of rows."""

from __future__ import annotations

from dataclasses import replace

from ..bounds import BY_NAME
from .declaration import STRUCT, TEXT, Function, Parameter, whole_from
from .parameters import (
    ALGO,
    ENTITY,
    FORMAT,
    KEEP,
    MEANING_OF_NULL,
    OPTIONS,
    QI,
    RECODE,
    SA,
    SEED,
    TAU,
    TAXONOMY,
    TBL,
    K,
    L,
    of_bound,
    optional,
)

DIVERSITY = replace(L, type=whole_from(2))
FURTHER = (ALGO, TAXONOMY, RECODE, FORMAT, KEEP, SEED, OPTIONS, MEANING_OF_NULL, ENTITY)
"""The parameters of kanonymous and ldiverse beside tables, columns and the bound."""
ALGO_FOR_ANY_BOUNDS = replace(ALGO, default="topdown")
BOUNDS_OF_CLASSES = tuple(
    of_bound(BY_NAME[name]) for name in ("k", "l", "distinct_l", "entropy_l", "c", "t", "beta", "delta")
)
"""Those that can be given together. tau is about labels."""

FUNCTIONS = (
    Function(
        "kanonymous",
        "group_id, the quasi-identifiers recoded, keep; every group has at least k rows, or, where a column tells"
        " people apart (entity), k people.",
        (
            TBL,
            QI,
            K,
            *FURTHER,
        ),
        "release.request:read_release",
        "release.statement:release_statement",
    ),
    Function(
        "ldiverse",
        "group_id, the quasi-identifiers recoded, sa, keep; in no published class does a sensitive value take "
        "more than 1/l of the rows (with entity, nor of the people); whoever learns from the whole release, or "
        "knows more, may guess better.",
        (
            TBL,
            QI,
            SA,
            DIVERSITY,
            *FURTHER,
        ),
        "release.request:read_release",
        "release.statement:release_statement",
    ),
    Function(
        "anonymize",
        "group_id, the quasi-identifiers recoded, sa, keep; every published class keeps every bound that is given, "
        "each as violations defines it (with entity, for rows and for people). With c, l is the rank from which "
        "recursive (c,l)-diversity counts.",
        (
            TBL,
            QI,
            optional(SA),
            *map(optional, BOUNDS_OF_CLASSES),
            ALGO_FOR_ANY_BOUNDS,
            *FURTHER[1:],
        ),
        "release.request:read_release",
        "release.statement:release_statement",
    ),
    Function(
        "taudiverse",
        "group_id, the quasi-identifiers and the sensitive attributes recoded, keep; in every group the most "
        "frequent sensitive value has a share of at most tau, and any j < l of them no more than tau + (1 - tau) "
        "(j - 1) / (l - 1), if the values below a label are equally likely. Whoever knows which value is frequent"
        " knows what most labels stand for. With k, every class also has at least k rows.",
        (TBL, QI, SA, TAU, DIVERSITY, replace(ALGO, default="sweep"), TAXONOMY, FORMAT, KEEP, OPTIONS, optional(K)),
        "release.request:read_release",
        "release.statement:release_statement",
    ),
    Function(
        "tp_phases",
        "what ldiverse with algo 'tp' comes to: the phase it stops in, the groups, the rows that share the one "
        "group of the residue, and how few any release of its kind must have there.",
        (TBL, QI, SA, DIVERSITY, MEANING_OF_NULL),
        "release.request:read_tp",
        "release.statement:outcome_statement",
    ),
    Function(
        "full_domain_levels",
        "every combination of levels, one for each column, that keeps k, or, with sa, l: what it loses, and the "
        "rows that it leaves out. The first is what algo 'incognito' publishes.",
        (TBL, QI, optional(SA), optional(K), optional(L), TAXONOMY, OPTIONS, MEANING_OF_NULL, ENTITY),
        "release.request:read_full_domain",
        "release.statement:levels_statement",
    ),
    Function(
        "sqlanon_explain",
        "the steps of the statement that a function runs, in their order: step, sql, without its seed. With step, the "
        "rows of that step. As an expression, the whole statement as text.",
        (
            Parameter("function", TEXT, "The name of the function."),
            Parameter("arguments", STRUCT, "Its arguments by name."),
            Parameter("step", TEXT, "The step whose rows are shown: the statement runs up to it.", None),
        ),
        "statement.explain:read_explanation",
        "statement.explain:explanation_statement",
        as_expression="_sqlanon_statement(_sqlanon_plan('statement_text', "
        "{'function': function, 'arguments': arguments}))",
    ),
)
