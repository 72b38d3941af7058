"""Databases and tables that the tests share."""

import datetime
import subprocess
import sys

import dolmen
import pytest

pytest_plugins = ["pytester"]

BEGIN = datetime.datetime(2026, 4, 15, 10, 30, tzinfo=datetime.timezone.utc)

TABLE = {
    "TableName": "app",
    "KeySchema": [
        {"AttributeName": "PK", "KeyType": "HASH"},
        {"AttributeName": "SK", "KeyType": "RANGE"},
    ],
    "AttributeDefinitions": [
        {"AttributeName": name, "AttributeType": kind}
        for name, kind in (("PK", "S"), ("SK", "S"), ("rank", "N"))
    ],
    "LocalSecondaryIndexes": [
        {
            "IndexName": "Rank",
            "KeySchema": [
                {"AttributeName": "PK", "KeyType": "HASH"},
                {"AttributeName": "rank", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
    "BillingMode": "PAY_PER_REQUEST",
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
}


def key(sort="1", partition="a"):
    return {"PK": partition, "SK": sort}


def put(database, sort="1", **attributes):
    """Puts and returns an item."""
    item = {**key(sort), **attributes}
    database.execute("PutItem", {"TableName": "app", "Item": item})
    return item


def get(database, sort="1"):
    return database.execute("GetItem", {"TableName": "app", "Key": key(sort)}).get("Item")


@pytest.fixture
def db():
    """A database in memory with the table app."""
    with dolmen.Database(clock=BEGIN, expiry_lag=datetime.timedelta(0)) as database:
        database.execute("CreateTable", TABLE)
        yield database


@pytest.fixture
def run_python():
    """Returns a function that runs a program and returns its output. It must exit with 0."""

    def run(program, *arguments):
        # Python 3.12 and later warn about fork(2) in a process with threads.
        done = subprocess.run(
            [
                sys.executable,
                "-B",
                "-W",
                "ignore::DeprecationWarning",
                "-c",
                program,
                *map(str, arguments),
            ],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    return run
