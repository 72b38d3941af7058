"""Tests of the fixtures for pytest, in test runs of their own."""

import json

from conftest import TABLE

SEED = {"Tables": [{**TABLE, "Items": [{"PK": {"S": "a"}, "SK": {"S": "1"}, "n": {"N": "1"}}]}]}

CONFTEST = f"""
import json, pytest

@pytest.fixture(scope="session")
def dolmen_seed():
    return json.loads({json.dumps(SEED)!r})
"""

COUNT = 'dolmen_db.execute("Scan", {"TableName": "app"})["Count"]'
WRITE = 'dolmen_db.execute("PutItem", {"TableName": "app", "Item": {"PK": "a", "SK": "2"}})'


def test_each_test_has_its_own_fork(pytester):
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(f"""
        import pytest

        @pytest.mark.parametrize("number", range(3))
        def test_writes(dolmen_db, number):
            assert {COUNT} == 1
            {WRITE}
            assert {COUNT} == 2
        """)
    pytester.runpytest_subprocess().assert_outcomes(passed=3)


def test_clients_and_resources_use_the_fork(pytester):
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(f"""
        import pytest

        @pytest.mark.parametrize("number", range(3))
        def test_writes(dolmen_db, dolmen_client, dolmen_resource, number):
            {WRITE}
            assert dolmen_client.scan(TableName="app")["Count"] == 2
            assert dolmen_resource.Table("app").scan()["Count"] == 2
        """)
    pytester.runpytest_subprocess().assert_outcomes(passed=3)


def test_a_test_moves_its_own_clock(pytester):
    pytester.makepyfile("""
        import datetime
        import pytest

        @pytest.mark.parametrize("number", range(3))
        def test_moves_the_clock(dolmen_session, dolmen_db, dolmen_clock, number):
            begin = dolmen_session.clock
            assert dolmen_clock.now() == begin
            assert dolmen_clock.advance(hours=1) - begin == datetime.timedelta(hours=1)
            assert dolmen_db.clock - begin == datetime.timedelta(hours=1)
            dolmen_clock.set(begin)
            assert dolmen_clock.now() == begin
        """)
    pytester.runpytest_subprocess().assert_outcomes(passed=3)


def test_a_session_can_be_filled_by_a_program(pytester):
    pytester.makeconftest(f"""
        import dolmen, pytest

        @pytest.fixture(scope="session")
        def dolmen_session():
            with dolmen.Database() as db:
                db.execute("CreateTable", {TABLE!r})
                yield db
        """)
    pytester.makepyfile(f"def test_reads(dolmen_db): assert {COUNT} == 0")
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_a_run_without_the_fixtures_does_not_load_the_library(pytester):
    pytester.makepyfile("def test_loads(): import sys; assert 'dolmen' not in sys.modules")
    pytester.runpytest_subprocess().assert_outcomes(passed=1)
