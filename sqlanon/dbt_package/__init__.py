"""A dbt package with generic tests of releases, for the adapter of any engine. docs/dbt.md shows how to use it.

`python -m sqlanon.dbt_package` prints where it is.

>>> (path() / "dbt_project.yml").is_file()
True
"""

from __future__ import annotations

from pathlib import Path


def path() -> Path:
    """The folder to name in packages.yml, after `local:`."""
    return Path(__file__).parent
