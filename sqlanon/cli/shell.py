"""A small SQL shell with sqlanon loaded."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import duckdb

from ..errors import SqlanonError
from ..version import __version__
from .failures import report_failure
from .functions import print_functions
from .output import output
from .statements import run_script

PROMPT, MORE = "sqlanon> ", "     ... "
HELP = """\
A statement ends with a semicolon and may take several lines. Ctrl-C drops it, or stops it while it runs.

.functions [NAME]  the SQL functions of sqlanon, or one of them with examples
.help              this
.quit              leave; so does Ctrl-D
"""


class Shell:
    """Reads statements up to a semicolon, runs them, and prints errors without leaving."""

    def __init__(self, con: duckdb.DuckDBPyConnection, rows: int) -> None:
        self.con = con
        self.rows = rows

    def run(self) -> None:
        """Read and run until the user leaves."""
        output().print(f"sqlanon {__version__}, DuckDB {duckdb.__version__}. .help helps, .quit leaves.")
        with history():
            pending = ""
            while True:
                try:
                    line = input(MORE if pending else PROMPT)
                except EOFError:
                    output().print()
                    return
                except KeyboardInterrupt:
                    output().print()
                    pending = ""
                    continue
                if not pending and line.strip() in (".quit", ".exit"):
                    return
                pending = self.take(f"{pending}{line}\n")

    def take(self, text: str) -> str:
        """Run what is complete; return what is not."""
        if not text.strip():
            return ""
        try:
            if text.lstrip().startswith("."):
                self.obey(*text.split())
            elif self.is_complete(text):
                run_script(self.con, text, self.rows)
            else:
                return text
        except (duckdb.Error, SqlanonError, RuntimeError, MemoryError, KeyboardInterrupt) as error:
            report_failure(error, whole=True)
        return ""

    def is_complete(self, text: str) -> bool:
        """Whether a statement ends here: with a semicolon that is in no text, name or comment."""
        if not text.rstrip().endswith(";"):
            return False
        try:
            self.con.extract_statements(text)
        except duckdb.ParserException as error:
            return "unterminated" not in str(error)
        return True

    def obey(self, command: str, *arguments: str) -> None:
        """A command of the shell itself."""
        if command == ".functions" and len(arguments) <= 1:
            print_functions(arguments[0] if arguments else None)
        else:
            output().print(HELP, end="")


@contextlib.contextmanager
def history() -> Iterator[None]:
    """Lines can be edited and are remembered, where Python has readline."""
    try:
        import readline
    except ImportError:
        yield
        return
    path = history_path()
    with contextlib.suppress(OSError):  # there is none yet
        readline.read_history_file(path)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):  # a home that cannot be written to is no reason to fail
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)
            readline.set_history_length(1000)
            readline.write_history_file(path)


def history_path() -> Path:
    """The path of the history, where programs keep such files."""
    state = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(state) / "sqlanon" / "history"
