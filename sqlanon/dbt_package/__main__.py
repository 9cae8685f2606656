"""Print the path of the dbt package."""

from . import path

print(path())
