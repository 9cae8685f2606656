"""The limits of a release's protection: the list of docs/threat-model.md, whole. A test compares the two."""

from __future__ import annotations

LIMITS: tuple[tuple[str, str], ...] = (
    (
        "What the rows of a class have in common.",
        "k-anonymity makes k rows look alike. If all of them share a diagnosis, it is disclosed.",
    ),
    (
        "People with several rows.",
        "Rows are not people. k and l count rows: somebody with several rows can fill a group alone, and the release "
        "still verifies. Name the column that tells people apart (entity := 'person_id'), and people are counted, too, "
        "in every class that a reader sees. Whoever knows how many rows somebody has may still recognise them by that.",
    ),
    (
        "Taxonomies of your own.",
        "Ranges, labels and lists show values of published rows only, also where rows are left out and a taxonomy is "
        "made in the call (numeric_taxonomy('patients', 'age'), or any query). A table or a file is taken for public "
        "knowledge, and published as it is",
    ),
    (
        "Where bins begin.",
        "The ends of ranges are values of published rows; where one bin stops and the next begins follows from all "
        "rows that bins were made of.",
    ),
    (
        "From those who know other columns.",
        "Nothing tells whether the quasi-identifiers are the right ones. Whoever knows more of a person than these may "
        "find them more easily.",
    ),
    (
        "From those who know more.",
        "Whoever knows that a neighbour does not have some of a class's values guesses better than 1/l.",
    ),
    ("Values that say the same.", "“Liver cancer, lung cancer, skin cancer” is 3-diverse."),
    (
        "From those who learn from the whole release.",
        "Where a value goes with an age or a place in many classes, it can be guessed in all of them",
    ),
    (
        "From those who know the algorithm.",
        "Whoever also knows everybody's quasi-identifiers can ask why rows were grouped as they were, and may narrow "
        "some values down: the minimality attack.",
    ),
    (
        "That somebody is in the table.",
        "A release that is exact (recode := 'none', anatomy) or typed tells more than a generalised one in text",
    ),
    (
        "From better guesses at labels.",
        "taudiverse counts a label as its values in equal parts. Whoever knows better (most people with a lung disease "
        "have the flu; it is the frequent values that are generalized) guesses better than tau",
    ),
    (
        "From those who have two releases.",
        "Two releases of overlapping data can be intersected. So can a release and somebody else's.",
    ),
    ("From those who know the seed.", "They can repeat the draw with every guess"),
    ("Against what you keep.", "A column that you call harmless and put in keep can identify people."),
    (
        "After a filter.",
        "The promise is about all rows of a release together. A WHERE around a release function, a LIMIT, a join or a "
        "DELETE afterwards may leave classes that are too small, and nothing stops it.",
    ),
    (
        "Against taking part at all.",
        "An attacker learns that a group contains somebody, and what groups look like statistically. Whoever must "
        "bound what any attacker learns from somebody's taking part needs differential privacy, and pays with noise.",
    ),
)
"""A heading and what it means, as the page has it. Each text is how the paragraph there begins."""
