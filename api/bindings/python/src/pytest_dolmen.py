"""Fixtures of pytest: each test gets its own fork of a database, a clock and failures.

conftest.py overrides dolmen_seed or dolmen_session to fill the database once per run.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pytest

# The package is imported by the fixtures, so that other test runs do not load its library.
if TYPE_CHECKING:
    import dolmen


class Clock:
    """The clock of dolmen_db. It stands still until a test moves it."""

    def __init__(self, database: dolmen.Database) -> None:
        self._database = database

    def now(self) -> datetime.datetime:
        """Returns the time in UTC."""
        return self._database.clock

    def set(self, time: datetime.datetime) -> None:
        """Moves the clock to a time with a time zone."""
        self._database.clock = time

    def advance(self, **time: float) -> datetime.datetime:
        """Advances the clock by a timedelta, for example by hours=2. Returns its new time."""
        return self._database.advance(datetime.timedelta(**time))


@pytest.fixture(scope="session")
def dolmen_seed() -> Any:
    """The seed of dolmen_session (Database.load_seed). None: a database without tables."""
    return None


@pytest.fixture(scope="session")
def dolmen_session(dolmen_seed: Any) -> Iterator[dolmen.Database]:
    """The database in memory that dolmen_db forks. Only expire() deletes expired items."""
    import dolmen  # pylint: disable=import-outside-toplevel

    with dolmen.Database(
        clock="manual", expiry_lag=datetime.timedelta(0), simulate={}
    ) as database:
        if dolmen_seed is not None:
            database.load_seed(dolmen_seed)
        yield database


@pytest.fixture
def dolmen_db(dolmen_session: dolmen.Database) -> Iterator[dolmen.Database]:
    """A fork of dolmen_session for one test."""
    with dolmen_session.fork() as database:
        yield database


@pytest.fixture
def dolmen_clock(dolmen_db: dolmen.Database) -> Clock:
    """The clock of dolmen_db."""
    return Clock(dolmen_db)


@pytest.fixture
def dolmen_faults(dolmen_db: dolmen.Database) -> Iterator[Callable[..., None]]:
    """A function that begins a simulation of failures, dolmen_faults(*rules, **members).

    The trace of the failures is printed after the test, so pytest shows it if the test fails.
    """

    def begin(*rules: Mapping[str, Any], **members: Any) -> None:
        dolmen_db.simulate({"Rules": list(rules), **members})

    yield begin
    for line in dolmen_db.trace():
        print(line)


@pytest.fixture(scope="session")
def _dolmen_client(dolmen_session: dolmen.Database) -> Any:
    return dolmen_session.client()


@pytest.fixture
def dolmen_client(dolmen_db: dolmen.Database, _dolmen_client: Any) -> Iterator[Any]:
    """A boto3 client of dolmen_db."""
    with dolmen_db.attach(_dolmen_client):
        yield _dolmen_client


@pytest.fixture(scope="session")
def _dolmen_resource(dolmen_session: dolmen.Database) -> Any:
    return dolmen_session.resource()


@pytest.fixture
def dolmen_resource(dolmen_db: dolmen.Database, _dolmen_resource: Any) -> Iterator[Any]:
    """A boto3 resource of dolmen_db."""
    with dolmen_db.attach(_dolmen_resource):
        yield _dolmen_resource
