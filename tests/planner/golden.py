"""Write the statement of every call in test_hostile_macros to a file, to compare before and after a change of the code.

python tests/planner/golden.py before       # on the old commit
python tests/planner/golden.py after        # on the new one
diff -r before after                        # a statement that should not change keeps its text
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from sqlanon import connection
from sqlanon.statement import planning


def write_statements(folder: Path) -> None:
    """Write one file for each call: the call, and the statements that the planner made of it."""
    planned: list[str] = []

    def plan(function: str, arguments: Mapping[str, object]) -> str:
        planned.append(planning.plan_or_refuse(function, arguments))
        return planned[-1]

    sys.path.append(str(Path(__file__).resolve().parents[1]))
    calls = import_module("planner.test_hostile_macros")
    connection.plan_or_refuse = plan
    folder.mkdir(parents=True)
    with connection.connect() as con:
        for number, call in enumerate((*calls.MAKE, *calls.STATEMENTS)):
            planned.clear()
            con.execute(call if call in calls.MAKE else f"EXPLAIN {call}")
            text = ";\n\n".join(dict.fromkeys((f"-- {call}", *planned)))
            (folder / f"{number:03}.sql").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    write_statements(Path(sys.argv[1]))
