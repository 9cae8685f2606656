"""The functions that say what a table promises: any table, a release or not."""

from __future__ import annotations

from .declaration import SHARE, Function, Parameter, whole_from
from .parameters import BOUND_PARAMETERS, ENTITY, MEANING_OF_NULL, QI, SA, TAU, TAXONOMY, TBL, WEIGHTS, L, optional

JUDGED = (TBL, QI, optional(SA), *BOUND_PARAMETERS, ENTITY, MEANING_OF_NULL, TAXONOMY, WEIGHTS)
"""The parameters of violations and assert_private."""

FUNCTIONS = (
    Function(
        "equivalence_classes",
        "one row per class: the qi columns, size, distinct_values, top_count, entropy, t_distance.",
        (TBL, QI, optional(SA), ENTITY, MEANING_OF_NULL),
        "verify.request:read_verification",
        "verify.statement:verification_statement",
    ),
    Function(
        "privacy",
        "one row (one per attribute, with its name first, where sa is a list) with every measure.",
        (TBL, QI, optional(SA), TAXONOMY, ENTITY, MEANING_OF_NULL),
        "verify.request:read_verification",
        "verify.statement:verification_statement",
    ),
    Function(
        "recursive_c",
        "one row: c, the infimum of c for which recursive (c,l)-diversity holds; NULL = none.",
        (TBL, QI, SA, L, ENTITY, MEANING_OF_NULL),
        "verify.request:read_verification",
        "verify.statement:verification_statement",
    ),
    Function(
        "violations",
        "the classes that break a given bound: the qi columns, size, distinct_values, top_count, broken (which "
        "bounds) and by_how_much (in the same order). No row: the table passes. With tau, l is the l of "
        "(tau,l)-diversity and no bound of its own; taxonomy and weights are for tau, as below.",
        JUDGED,
        "verify.request:read_verification",
        "verify.statement:verification_statement",
    ),
    Function(
        "assert_private",
        "TRUE, or SA302 with the number of classes that break a bound.",
        JUDGED,
        "verify.request:read_measure",
        "verify.statement:measure_statement",
        is_expression=True,
    ),
    Function(
        "risk",
        "one row: people, classes, smallest_class, prosecutor, marketer, above_threshold, unique_people.",
        (TBL, QI, Parameter("threshold", SHARE, "The risk that is too high.", 0.2), ENTITY, MEANING_OF_NULL),
        "verify.request:read_verification",
        "verify.statement:verification_statement",
    ),
    Function(
        "risk_by_size",
        "one row per class size: size, classes, people, share, risk.",
        (TBL, QI, ENTITY, MEANING_OF_NULL),
        "verify.request:read_verification",
        "verify.statement:verification_statement",
    ),
    Function(
        "eligibility",
        "one row: rows, distinct_values, top_count, max_l, optimal_l, and next_step, what to try, in words.",
        (TBL, SA, ENTITY),
        "verify.request:read_verification",
        "verify.statement:verification_statement",
    ),
    Function(
        "eligible_c",
        "one row: rows, distinct_values, c, min_c.",
        (TBL, SA, L),
        "verify.request:read_verification",
        "verify.statement:verification_statement",
    ),
    Function(
        "buckets",
        "the sensitive values, largest first: value, count, share, rank.",
        (TBL, SA),
        "verify.request:read_verification",
        "verify.statement:verification_statement",
    ),
    Function(
        "induced_frequencies",
        "class by class, every base value: the qi columns, value, frequency, rank, cumulative.",
        (TBL, QI, SA, TAXONOMY, WEIGHTS, MEANING_OF_NULL),
        "verify.request:read_verification",
        "verify.statement:verification_statement",
    ),
    Function(
        "tau_privacy",
        "one row: tau, the smallest one for which (tau,l)-diversity holds, from 1/l up; NULL = none.",
        (TBL, QI, SA, L, TAXONOMY, WEIGHTS, MEANING_OF_NULL),
        "verify.request:read_verification",
        "verify.statement:verification_statement",
    ),
    Function(
        "excessive_protection",
        "one row: excess, how far the class that is nearest to what (tau,l) allows is from it.",
        (TBL, QI, SA, TAU, L, TAXONOMY, WEIGHTS, MEANING_OF_NULL),
        "verify.request:read_verification",
        "verify.statement:verification_statement",
    ),
    Function(
        "stronger_requirements",
        "the weakest requirements that imply (tau,l)-diversity of m values: c, l. c NULL = simple l-diversity.",
        (TAU, L, Parameter("m", whole_from(2), "How many values the attribute has.")),
        "verify.requirements:read_requirement",
        "verify.requirements:requirements_statement",
    ),
    Function(
        "k_anonymity",
        "one row: k, the size of the smallest class.",
        (TBL, QI),
        "verify.request:read_measure",
        "verify.statement:measure_statement",
    ),
    Function(
        "alpha_k_anonymity",
        "one row: alpha, the largest share that a sensitive value has in a class, and k.",
        (TBL, QI, SA),
        "verify.request:read_measure",
        "verify.statement:measure_statement",
    ),
    Function(
        "l_diversity",
        "one row: l, the fewest different sensitive values of a class.",
        (TBL, QI, SA),
        "verify.request:read_measure",
        "verify.statement:measure_statement",
    ),
    Function(
        "entropy_l_diversity",
        "one row: l, by the entropy of the class where it is smallest.",
        (TBL, QI, SA),
        "verify.request:read_measure",
        "verify.statement:measure_statement",
    ),
    Function(
        "recursive_c_l_diversity",
        "one row: c, the infimum of c for which recursive (c,l)-diversity holds.",
        (TBL, QI, SA, L),
        "verify.request:read_measure",
        "verify.statement:measure_statement",
    ),
    Function(
        "basic_beta_likeness",
        "one row: beta, by how much, relative to the whole, a share rises in a class at most.",
        (TBL, QI, SA),
        "verify.request:read_measure",
        "verify.statement:measure_statement",
    ),
    Function(
        "enhanced_beta_likeness",
        "one row: beta, the smallest one for which enhanced beta-likeness holds; NULL = none.",
        (TBL, QI, SA),
        "verify.request:read_measure",
        "verify.statement:measure_statement",
    ),
    Function(
        "t_closeness",
        "one row: t, how far the distribution of a class is from the whole at most.",
        (TBL, QI, SA),
        "verify.request:read_measure",
        "verify.statement:measure_statement",
    ),
    Function(
        "delta_disclosure",
        "one row: delta, the largest absolute log-ratio of a share in a class to that in the whole.",
        (TBL, QI, SA),
        "verify.request:read_measure",
        "verify.statement:measure_statement",
    ),
)
