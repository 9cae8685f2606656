"""sqlanon demo: the whole story on real data, statement by statement, as a user would type it."""

from __future__ import annotations

import time
from typing import NamedTuple

from ...publishing.engine import AUTOMATIC, Engine
from ...publishing.session import Session, connection
from ..narration import show_progress
from ..output import data_cell, output, print_table


class Scene(NamedTuple):
    """A line of prose, a statement, and how many of its rows to show; none for a statement without a result."""

    says: str
    sql: str
    shown: int = 8


STORY = (
    Scene(
        "The table to publish: UCI Adult, of which an attacker knows five columns and must not learn the occupation.",
        """
CREATE TABLE people AS
SELECT age, sex, race, education, "native-country" AS country, occupation
FROM adult() WHERE occupation IS NOT NULL;
""",
        0,
    ),
    Scene(
        "How risky would it be to publish it as it is? The risk of a row is 1 / the number of people like it.",
        "FROM risk('people', ['age', 'sex', 'race', 'education', 'country']);",
    ),
    Scene("What is possible?", "FROM eligibility('people', 'occupation');"),
    Scene(
        "Publish: in no group may an occupation take more than a quarter. Education and country have taxonomies.",
        """
CREATE TABLE release AS
FROM ldiverse('people', ['age', 'sex', 'race', 'education', 'country'], 'occupation', 4,
    taxonomy := {'education': 'adult_taxonomy(''education'')', 'country': 'adult_taxonomy(''native-country'')'});
""",
        0,
    ),
    Scene("What an analyst gets, somewhere in the middle:", "FROM release WHERE group_id BETWEEN 6801 AND 6803;", 12),
    Scene(
        "Verify: what does the release promise? Each number is that of its weakest class.",
        """
SELECT rows, classes, k, distinct_l, frequency_l, entropy_l, alpha, t
FROM privacy('release', ['age', 'sex', 'race', 'education', 'country'], 'occupation');
""",
    ),
    Scene(
        "Or as a line for CI:",
        """
SELECT assert_private('release', ['age', 'sex', 'race', 'education', 'country'], 'occupation', k := 4, l := 4) AS holds;
""",
    ),
    Scene(
        "What did it cost? In all: gcp is the mean loss of a cell, 0 for an exact value, 1 for one that tells nothing.",
        """
SELECT suppressed_rows, avg_class_size, gcp, stars
FROM info_loss('people', 'release', ['age', 'sex', 'race', 'education', 'country'],
    taxonomy := {'education': 'adult_taxonomy(''education'')', 'country': 'adult_taxonomy(''native-country'')'});
""",
    ),
    Scene(
        "And by column, where the loss is called ncp: education lost most.",
        """
SELECT attribute, ncp, stars
FROM attribute_loss('people', 'release', ['age', 'sex', 'race', 'education', 'country'],
    taxonomy := {'education': 'adult_taxonomy(''education'')', 'country': 'adult_taxonomy(''native-country'')'});
""",
    ),
    Scene(
        "What can still be asked? Analysts have the release alone, and write queries as if they had the table. They "
        "know that sex has values and no labels:",
        """
FROM estimate('release',
    'SELECT sex, count(*) FROM people WHERE age < 30 AND occupation = ''Exec-managerial'' GROUP BY sex',
    taxonomy := {'sex': NULL})
ORDER BY sex;
""",
    ),
    Scene(
        "You have the table too. The truth lies between lower and upper, always; if rows had been left out of it, "
        "only with suppressed := their number:",
        """
SELECT sex, count(*) AS truth FROM people WHERE age < 30 AND occupation = 'Exec-managerial' GROUP BY sex ORDER BY sex;
""",
    ),
)


def demo(engine: Engine = AUTOMATIC) -> None:
    """Publish built-in data, statement by statement.

    It is UCI Adult; then the demo looks at what came out.
    """
    with connection(":memory:", engine) as con:
        session = Session(con)
        for scene in STORY:
            output().print(f"\n-- {scene.says}\n{scene.sql.strip()}", soft_wrap=True)
            started = time.perf_counter()
            with show_progress():
                result = session.run(scene.sql)
            seconds = time.perf_counter() - started
            if scene.shown:
                print_table(result.names, result.rows[: scene.shown], write=data_cell)
            else:
                output().print(f"-- {result.rows[0][0]:,} rows in {seconds:.2f} s")
