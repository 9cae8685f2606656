"""Steps that several measures of one release need: each is there once, and runs once."""

from __future__ import annotations

from collections import Counter

from sqlglot import exp

from sqlanon.statement.template import Once, Step
from sqlanon.verify.request import Verification
from sqlanon.verify.statement import statement_of_one


class SharedSteps:
    """The steps of verifications, under names that are unique: those that are equal are one."""

    def __init__(self) -> None:
        self.steps: dict[str, Step] = {}
        self._names: dict[tuple[exp.Expr, bool], str] = {}
        self._numbers: Counter[str] = Counter()

    def statement(self, verification: Verification) -> exp.Select:
        """The statement of a verification without its steps, which are among those that are shared."""
        statement = statement_of_one(verification)
        renamed: dict[str, str] = {}
        while (steps := statement.find(exp.With)) is not None:
            for step in steps.pop().expressions:
                renamed[step.alias] = self._share(step, renamed)
        rename_tables(statement, renamed)
        return statement

    def _share(self, step: exp.CTE, renamed: dict[str, str]) -> str:
        """The shared name of a step, which may be there already."""
        once = bool(step.args.get("materialized"))
        query = step.this
        rename_tables(query, renamed)
        if (query, once) not in self._names:
            self._numbers[step.alias] += 1
            name = f"{step.alias}_{self._numbers[step.alias]}"
            self._names[query, once] = name
            self.steps[name] = Once(query) if once else query
        return self._names[query, once]


def rename_tables(statement: exp.Expr, names: dict[str, str]) -> None:
    """Read steps by other names; columns keep the old ones. Steps of the statement hide others of the same name."""
    steps = {step.alias for step in statement.find_all(exp.CTE)}
    for table in statement.find_all(exp.Table):
        name, quoted = table.name, isinstance(table.this, exp.Identifier) and table.this.quoted
        if name in names and name not in steps and not quoted and not table.args.get("db"):
            if not table.alias:
                table.set("alias", exp.TableAlias(this=exp.to_identifier(name)))
            table.set("this", exp.to_identifier(names[name]))
