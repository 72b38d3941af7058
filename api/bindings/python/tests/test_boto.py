"""Tests of clients, resources and sessions of boto3 whose requests a database executes."""

import os
import socket

import boto3
import botocore.session
import dolmen
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError, ParamValidationError
from botocore.stub import Stubber
from conftest import TABLE, get, key, put

WAYS = ("direct", "before-call", "before-send")
TYPED_KEY = {"PK": {"S": "a"}, "SK": {"S": "1"}}
ITEM = {
    **TYPED_KEY,
    "rank": {"N": "1"},
    "b": {"B": b"\0\xff"},
    "bs": {"BS": [b"a", b"b"]},
    "m": {"M": {"B": {"S": "B"}, "l": {"L": [{"B": b"c"}, {"NULL": True}, {"M": {}}]}}},
}
QUERY = {
    "TableName": "app",
    "KeyConditionExpression": "PK = :pk",
    "ExpressionAttributeValues": {":pk": {"S": "a"}},
}
CONDITION = {
    "ConditionExpression": "attribute_not_exists(PK)",
    "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
}

# Requests after a put of ITEM. Some fail.
REQUESTS = {
    "get": ("get_item", {"TableName": "app", "Key": TYPED_KEY, "ReturnConsumedCapacity": "TOTAL"}),
    "no item": ("get_item", {"TableName": "app", "Key": {**TYPED_KEY, "SK": {"S": "2"}}}),
    "put": (
        "put_item",
        {
            "TableName": "app",
            "Item": ITEM,
            "ReturnValues": "ALL_OLD",
            "ReturnItemCollectionMetrics": "SIZE",
        },
    ),
    "query": ("query", {**QUERY, "Limit": 1, "ReturnConsumedCapacity": "INDEXES"}),
    "scan": ("scan", {"TableName": "app"}),
    "batch get": ("batch_get_item", {"RequestItems": {"app": {"Keys": [TYPED_KEY]}}}),
    "batch write": (
        "batch_write_item",
        {
            "RequestItems": {"app": [{"DeleteRequest": {"Key": TYPED_KEY}}]},
            "ReturnItemCollectionMetrics": "SIZE",
        },
    ),
    "transact get": (
        "transact_get_items",
        {"TransactItems": [{"Get": {"TableName": "app", "Key": TYPED_KEY}}]},
    ),
    "describe table": ("describe_table", {"TableName": "app"}),
    "list tables": ("list_tables", {}),
    "describe limits": ("describe_limits", {}),
    "describe backups": ("describe_continuous_backups", {"TableName": "app"}),
    "false condition": ("put_item", {"TableName": "app", "Item": TYPED_KEY, **CONDITION}),
    "canceled": (
        "transact_write_items",
        {
            "TransactItems": [
                {"ConditionCheck": {"TableName": "app", "Key": TYPED_KEY, **CONDITION}},
                {"Put": {"TableName": "app", "Item": {**TYPED_KEY, "SK": {"S": "2"}}}},
            ]
        },
    ),
    "no table": ("get_item", {"TableName": "nowhere", "Key": TYPED_KEY}),
    "wrong key": ("get_item", {"TableName": "app", "Key": {"PK": {"S": "a"}}}),
}


@pytest.fixture(autouse=True)
def _no_sockets(monkeypatch):
    def forbid(*_arguments, **_options):
        raise AssertionError("a request has opened a socket")

    monkeypatch.setattr(socket, "socket", forbid)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", os.devnull)


def outcome(client, method, request):
    """Returns the answer, or the error's class and answer, without what differs in each request."""
    try:
        answer = getattr(client, method)(**request)
        name = None
    except ClientError as error:
        name, answer = type(error).__name__, error.response
    metadata = answer["ResponseMetadata"]
    assert len(metadata.pop("RequestId")) == 52
    metadata["HTTPHeaders"].pop("x-amzn-requestid")
    return name, answer


@pytest.mark.parametrize(("method", "request_"), REQUESTS.values(), ids=REQUESTS)
def test_all_ways_return_the_answer_of_the_parsers_of_botocore(db, method, request_):
    db.client().put_item(TableName="app", Item=ITEM)
    outcomes = []
    for way in WAYS:
        with db.fork() as fork:
            outcomes.append(outcome(fork.client(way=way), method, request_))
    assert outcomes[0] == outcomes[2]
    assert outcomes[1] == outcomes[2]


@pytest.mark.parametrize("way", WAYS)
def test_streams_have_bytes_and_times(db, way):
    db.client(way=way).put_item(TableName="app", Item=ITEM)
    streams = db.client("dynamodbstreams", way=way)
    arn = streams.list_streams()["Streams"][0]["StreamArn"]
    described = streams.describe_stream(StreamArn=arn)["StreamDescription"]
    assert described["CreationRequestDateTime"] == db.clock
    iterator = streams.get_shard_iterator(
        StreamArn=arn,
        ShardId=described["Shards"][0]["ShardId"],
        ShardIteratorType="TRIM_HORIZON",
    )["ShardIterator"]
    (record,) = streams.get_records(ShardIterator=iterator)["Records"]
    assert record["dynamodb"]["NewImage"] == ITEM
    assert record["dynamodb"]["ApproximateCreationDateTime"] == db.clock


@pytest.mark.parametrize("way", WAYS)
def test_a_resource_has_plain_values(db, way):
    table = db.resource(way=way).Table("app")
    table.put_item(Item={**key(), "n": 1, "tags": {"x"}})
    assert table.get_item(Key=key())["Item"] == {**key(), "n": 1, "tags": {"x"}}
    assert get(db) == {**key(), "n": 1, "tags": {"x"}}
    with pytest.raises(table.meta.client.exceptions.ConditionalCheckFailedException):
        table.put_item(Item=key(), ConditionExpression="attribute_not_exists(PK)")


@pytest.mark.parametrize("way", WAYS)
def test_paginators_and_waiters_work(db, way):
    items = [put(db, str(number)) for number in range(5)]
    client = db.client(way=way)
    pages = client.get_paginator("query").paginate(**QUERY, PaginationConfig={"PageSize": 2})
    assert [len(page["Items"]) for page in pages] == [2, 2, 1]
    assert len(items) == 5
    client.get_waiter("table_exists").wait(TableName="app")


@pytest.mark.parametrize("way", WAYS)
def test_parameters_are_checked(db, way):
    with pytest.raises(ParamValidationError, match="Key"):
        db.client(way=way).get_item(TableName="app")


@pytest.mark.parametrize("way", WAYS)
def test_a_closed_database_is_an_error(db, way):
    client = db.client(way=way)
    db.close()
    with pytest.raises(dolmen.ClosedError):
        client.list_tables()


@pytest.mark.parametrize("way", WAYS)
def test_handlers_of_events_and_stubs_see_the_calls(db, way):
    client = db.client(way=way)
    seen = []
    for event in ("provide-client-params", "before-parameter-build", "before-call", "after-call"):
        client.meta.events.register(
            f"{event}.dynamodb.ListTables", lambda event_name, **_: seen.append(event_name)
        )
    client.list_tables()
    assert [name.split(".")[0] for name in seen] == [
        "provide-client-params",
        "before-parameter-build",
        "before-call",
        "after-call",
    ]
    with Stubber(client) as stubber:
        stubber.add_response("list_tables", {"TableNames": ["stub"]})
        assert client.list_tables()["TableNames"] == ["stub"]


THROTTLED = (
    400,
    b'{"__type":"com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",'
    b'"message":"slow down"}',
)
FAILED = (500, b'{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":""}')


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("failure", [THROTTLED, FAILED], ids=["throttled", "failed"])
@pytest.mark.parametrize("mode", ["legacy", "standard", "adaptive"])
def test_a_client_retries_as_often_as_its_configuration_says(db, monkeypatch, way, failure, mode):
    """Lets two attempts fail: three attempts succeed, and two do not."""
    slept = []
    monkeypatch.setattr("time.sleep", slept.append)
    execute = db._execute
    for attempts, fails in ((3, False), (2, True)):
        failures = [failure, failure]
        monkeypatch.setattr(
            db, "_execute", lambda *call: failures.pop() if failures else execute(*call)
        )
        retries = {"mode": mode, "total_max_attempts": attempts}
        client = db.client(way=way, config=Config(retries=retries))
        if fails:
            with pytest.raises(ClientError) as caught:
                client.list_tables()
            answer = caught.value.response
            assert answer["ResponseMetadata"]["MaxAttemptsReached"]
        else:
            answer = client.list_tables()
        assert answer["ResponseMetadata"]["RetryAttempts"] == attempts - 1
    assert len(slept) == 3


def test_a_client_of_other_code_is_attached_and_detached(db):
    client = boto3.client("dynamodb", region_name="us-east-1")
    with db.fork() as fork:
        first = db.attach(client)
        assert client.list_tables()["TableNames"] == ["app"]
        second = fork.attach(client, way="before-call")
        client.delete_table(TableName="app")
        assert (client.list_tables()["TableNames"], db.execute("ListTables")["TableNames"]) == (
            [],
            ["app"],
        )
        first.close()
        assert client.list_tables()["TableNames"] == []
        second.close()
    assert "_make_api_call" not in vars(client)


@pytest.mark.parametrize("way", WAYS)
def test_a_session_creates_attached_clients(db, way):
    options = {"region_name": "us-east-1"}
    session = boto3.Session("id", "secret", **options)
    attachment = db.attach(session, way=way)
    assert session.client("dynamodb").list_tables()["TableNames"] == ["app"]
    assert session.resource("dynamodb").Table("app").table_status == "ACTIVE"
    assert session.client("dynamodbstreams").list_streams()["Streams"]
    with dolmen.Database() as other, other.attach(session, way=way):
        assert session.client("dynamodb").list_tables()["TableNames"] == []
    assert session.client("dynamodb").list_tables()["TableNames"] == ["app"]
    attachment.close()
    assert "_dolmen_attachment" not in vars(session.client("dynamodb"))
    core = botocore.session.get_session()
    core.set_credentials("id", "secret")
    with db.attach(core, way=way):
        client = core.create_client("dynamodb", **options)
    assert client.list_tables()["TableNames"] == ["app"]


def test_a_module_attaches_all_sessions(db, monkeypatch):
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    boto3.setup_default_session()
    with db.attach(boto3):
        assert boto3.client("dynamodb").list_tables()["TableNames"] == ["app"]
        assert boto3.Session().client("dynamodb").list_tables()["TableNames"] == ["app"]
        with db.fork() as fork, fork.attach(boto3):
            fork.execute("DeleteTable", {"TableName": "app"})
            assert boto3.client("dynamodb").list_tables()["TableNames"] == []
    for session in (boto3, boto3.Session()):
        assert "_dolmen_attachment" not in vars(session.client("dynamodb"))


def test_only_clients_of_dynamodb_are_attached(db):
    with pytest.raises(ValueError, match="no requests for DynamoDB"):
        db.attach(boto3.client("sqs", region_name="us-east-1"))
    with pytest.raises(TypeError, match="neither a client"):
        db.attach(5)
    with pytest.raises(ValueError, match="unknown way"):
        db.attach(boto3.Session(), way="fast")
    with pytest.raises(ValueError, match="no requests for DynamoDB"):
        db.client("sqs")


def test_the_region_of_a_database_is_the_region_of_its_clients():
    with dolmen.Database(region="eu-west-1") as db:
        assert db.client().meta.region_name == "eu-west-1"
        table = db.resource().create_table(**TABLE)
        assert table.table_arn.startswith("arn:aws:dynamodb:eu-west-1:")
