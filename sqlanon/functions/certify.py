"""The function that certifies a release."""

from __future__ import annotations

from .declaration import ANY, STRUCT, Function, Parameter
from .parameters import BOUND_PARAMETERS, ENTITY, MEANING_OF_NULL, QI, REL, SA, SRC, TAXONOMY, optional

FUNCTIONS = (
    Function(
        "certify",
        "version, created, function, arguments, the columns and bounds, holds, broken, the measures, risk, "
        "people, kept columns, hashes.",
        (
            REL,
            QI,
            optional(SA),
            *BOUND_PARAMETERS,
            TAXONOMY,
            ENTITY,
            optional(MEANING_OF_NULL),
            optional(SRC),
            Parameter("function", ANY, "The function that published the release.", None),
            Parameter("arguments", STRUCT, "Its arguments by name.", None),
        ),
        "certificate.request:read_certification",
        "certificate.statement:certify_statement",
    ),
)
