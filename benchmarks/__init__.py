"""How fast, how large, how good: python -m benchmarks."""

import os

os.environ.setdefault("COLUMNS", "140")  # a line of a table is a line, in a file, too
