"""python -m sqlanon."""

from __future__ import annotations

import sys

from sqlanon.cli import main

sys.exit(main())
