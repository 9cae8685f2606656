"""Beyond pyproject.toml: udfs/, sql/ and docs/ are installed below sqlanon, whatever packages are in them."""

from setuptools import find_packages, setup

setup(
    packages=[
        *find_packages(include=["sqlanon", "sqlanon.*"]),
        *(f"sqlanon.{package}" for package in find_packages(include=["udfs", "udfs.*", "sql"])),
        "sqlanon.docs",
    ],
    package_dir={"sqlanon": "sqlanon", "sqlanon.udfs": "udfs", "sqlanon.sql": "sql", "sqlanon.docs": "docs"},
)
