"""Tests of clients of aiobotocore whose requests a database executes."""

import asyncio

import botocore
import pytest
from conftest import put

aiobotocore_session = pytest.importorskip("aiobotocore.session")

ITEM = {"PK": {"S": "a"}, "SK": {"S": "1"}, "b": {"B": b"\0\xff"}}
WAYS = ("direct", "before-call", "before-send")
THROTTLED = (
    400,
    b'{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",'
    b'"message":"slow down"}',
)


def create_client(session, **options):
    return session.create_client(
        "dynamodb",
        region_name="us-east-1",
        aws_access_key_id="id",
        aws_secret_access_key="secret",
        **options,
    )


async def use(client):
    """Writes and reads with the client. Returns what it read."""
    await client.put_item(TableName="app", Item=ITEM)
    with pytest.raises(client.exceptions.ConditionalCheckFailedException) as caught:
        await client.put_item(
            TableName="app",
            Item=ITEM,
            ConditionExpression="attribute_not_exists(PK)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    found = await client.get_item(TableName="app", Key={name: ITEM[name] for name in ("PK", "SK")})
    return found["Item"], caught.value.response["Item"]


@pytest.mark.parametrize("way", WAYS)
def test_clients_of_a_session_are_attached(db, way):
    async def run():
        session = aiobotocore_session.get_session()
        db.attach(session, way=way)
        async with create_client(session) as client:
            return await use(client)

    assert asyncio.run(run()) == (ITEM, ITEM)


def test_a_module_attaches_all_sessions(db):
    async def run():
        async with create_client(aiobotocore_session.get_session()) as client:
            return (await client.list_tables())["TableNames"]

    with db.attach(botocore):
        assert asyncio.run(run()) == ["app"]


def test_a_client_is_attached_and_paginates(db):
    for number in range(5):
        put(db, str(number))

    async def run():
        async with create_client(aiobotocore_session.get_session()) as client:
            db.attach(client)
            paginator = client.get_paginator("scan")
            pages = paginator.paginate(TableName="app", PaginationConfig={"PageSize": 2})
            return [len(page["Items"]) async for page in pages]

    assert asyncio.run(run()) == [2, 2, 1]


@pytest.mark.parametrize("way", WAYS)
def test_a_client_retries(db, monkeypatch, way):
    slept = []

    async def sleep(seconds):
        slept.append(seconds)

    async def run():
        session = aiobotocore_session.get_session()
        db.attach(session, way=way)
        async with create_client(session) as client:
            monkeypatch.setattr("asyncio.sleep", sleep)
            return await client.list_tables()

    failures = [THROTTLED, THROTTLED]
    execute = db._execute
    monkeypatch.setattr(
        db, "_execute", lambda *call: failures.pop() if failures else execute(*call)
    )
    answer = asyncio.run(run())
    assert answer["ResponseMetadata"]["RetryAttempts"] == 2
    assert len(slept) == 2


def test_fifty_calls_run_at_the_same_time(db):
    async def run():
        session = aiobotocore_session.get_session()
        db.attach(session)
        async with create_client(session) as client:
            items = [{**ITEM, "SK": {"S": f"{number:02}"}} for number in range(50)]
            await asyncio.gather(*(client.put_item(TableName="app", Item=i) for i in items))
            return (await client.scan(TableName="app"))["Items"] == items

    assert asyncio.run(run())
