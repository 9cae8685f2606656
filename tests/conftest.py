"""Fixtures for all: a connection, an empty database, PostgreSQL; and no test may fail because a machine is slow."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from connections import TestConnection, open_connection
from hypothesis import HealthCheck, settings
from postgres import postgres_server
from thorough import examples

__all__ = ["con", "postgres_server", "scratch"]

settings.register_profile(
    "any machine",
    deadline=None,
    max_examples=examples(100),
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=False,
    print_blob=True,
)
settings.load_profile("any machine")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest, so that no worker waits for another in the end."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.fixture(scope="module")
def con() -> Iterator[TestConnection]:
    """A loaded connection in memory for all tests of a file. The tables that a file needs are fixtures that take it."""
    with open_connection() as connection:
        yield connection


@pytest.fixture
def scratch(con: TestConnection) -> Iterator[None]:
    """An empty database for one test: what it makes there is gone after it."""
    con.execute("ATTACH ':memory:' AS scratch; USE scratch")
    yield
    con.execute("USE memory; DETACH scratch")
