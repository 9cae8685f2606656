"""The commands, one module each, in the order in which help lists them."""

from __future__ import annotations

from collections.abc import Callable

from .certify import certify
from .columns import columns
from .compile import compile_all
from .demo import demo
from .frontier import frontier
from .functions import functions
from .init import init
from .loss import loss
from .release import release
from .report import report
from .risk import risk
from .run import run
from .sign import sign
from .sql import sql
from .verify import verify

COMMANDS: dict[str, Callable[..., None]] = {
    "init": init,
    "run": run,
    "release": release,
    "verify": verify,
    "certify": certify,
    "sign": sign,
    "loss": loss,
    "risk": risk,
    "frontier": frontier,
    "report": report,
    "columns": columns,
    "sql": sql,
    "functions": functions,
    "compile": compile_all,
    "demo": demo,
}
