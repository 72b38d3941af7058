"""Tests of Database.execute and of its values."""

import decimal
import json
import random

import dolmen
import pytest
from conftest import get, key, put

_EXACT = decimal.Context(prec=38, Emin=-999, Emax=999)

VALUES = {
    "text": "Grüße",
    "empty": "",
    "whole": 5,
    "negative": -7,
    "large": 12345678901234567890123456789012345678,
    "fraction": decimal.Decimal("1.5"),
    "exponent": decimal.Decimal("1E-100"),
    "bytes": b"\0\xff",
    "no bytes": b"",
    "true": True,
    "false": False,
    "none": None,
    "list": [1, "a", [None], {"b": b"c"}],
    "map": {"a": {"b": {1, 2}}},
    "no map": {},
    "texts": {"a", "b"},
    "numbers": {1, decimal.Decimal("2.5")},
    "binaries": {b"a", b"\0"},
}


def same_types(first, second):
    """Returns true if the values and all values in them have the same types."""
    if type(first) is not type(second):
        return False
    if isinstance(first, dict):
        return all(same_types(first[name], second[name]) for name in first)
    if isinstance(first, list):
        return all(map(same_types, first, second))
    return True


def test_every_value_is_read_as_it_was_written(db):
    item = put(db, **VALUES)
    found = get(db)
    assert found == item
    assert same_types(found, item)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ((1, 2), [1, 2]),
        (frozenset({"a"}), {"a"}),
        (bytearray(b"a"), b"a"),
        (memoryview(b"a"), b"a"),
        (decimal.Decimal("2.0"), 2),
        (decimal.Decimal("1E+3"), 1000),
    ],
)
def test_other_types_are_written_as_their_kind(db, written, read):
    put(db, value=written)
    assert get(db)["value"] == read


@pytest.mark.parametrize(
    ("value", "error", "words"),
    [
        (1.5, TypeError, "float"),
        (object(), TypeError, "no type"),
        ({1, "a"}, TypeError, "only str"),
        ({True}, TypeError, "only str"),
        (set(), ValueError, "empty sets"),
        (decimal.Decimal("NaN"), ValueError, "no number NaN"),
        (decimal.Decimal("Infinity"), ValueError, "no number Infinity"),
        ({1: "a"}, TypeError, "name of an attribute must be str: 1"),
    ],
)
def test_a_value_without_a_type_is_refused(db, value, error, words):
    with pytest.raises(error, match=words):
        put(db, value=value)
    assert get(db) is None


@pytest.mark.parametrize("half", ["\ud83d", "\ude00", "a\ud83db"])
def test_half_of_a_surrogate_pair_is_refused_by_its_place(db, half):
    item = {"PK": {"S": half}, "SK": {"S": "1"}}
    text = json.dumps({"TableName": "app", "Item": item}, ensure_ascii=False)
    calls = {
        "Item.PK.S": lambda: db.execute("PutItem", {"TableName": "app", "Item": key("1", half)}),
        "Item.name.M.inner.L": lambda: put(db, name={"inner": [half]}),
        "Item.PK": lambda: db.execute_json("PutItem", text),
        "Tables": lambda: db.load_seed({"Tables": [half]}),
        "Rules": lambda: db.simulate({"Rules": half}),
    }
    for place, call in calls.items():
        with pytest.raises(dolmen.Error, match=f"half of a surrogate pair.* at {place}"):
            call()
    for call in (lambda: db.subscribe(half, "name", print), lambda: db.subscribe("app", half, print)):
        with pytest.raises(ValueError, match="surrogates not allowed"):
            call()
    assert db.execute("Scan", {"TableName": "app"})["Count"] == 0


def test_a_number_without_a_form_in_json_is_refused(db):
    with pytest.raises(ValueError, match="not JSON compliant"):
        db.execute("Scan", {"TableName": "app", "Limit": float("nan")})


def test_a_text_ends_where_c_ends_it(db):
    for call in (
        lambda: db.execute("ListTables\0", {}),
        lambda: db.execute_json("ListTables\0", "{}"),
        lambda: db.subscribe("app\0", "name", print),
        lambda: db.subscribe("app", "name\0", print),
    ):
        with pytest.raises(ValueError, match="zero byte"):
            call()


def test_each_digit_of_a_number_is_read_as_it_was_written(db, record_property):
    seed = random.randrange(1_000_000)
    record_property("seed", seed)
    chance = random.Random(seed)
    for _ in range(1_000):
        written = [
            decimal.Decimal(chance.randrange(10**38)).scaleb(chance.randrange(-130, 80), _EXACT)
            for _ in range(100)
        ]
        put(db, value=written)
        assert get(db)["value"] == written, f"seed {seed}"


def test_expressions_have_plain_values(db):
    put(db, count=1)
    updated = db.execute(
        "UpdateItem",
        {
            "TableName": "app",
            "Key": key(),
            "UpdateExpression": "SET seen = :seen ADD #count :one",
            "ExpressionAttributeNames": {"#count": "count"},
            "ExpressionAttributeValues": {":seen": {"x"}, ":one": 1},
            "ReturnValues": "ALL_NEW",
        },
    )
    assert updated["Attributes"] == {**key(), "count": 2, "seen": {"x"}}


def test_pages_have_plain_items_and_keys(db):
    items = [put(db, sort) for sort in "123"]
    request = {
        "TableName": "app",
        "KeyConditionExpression": "PK = :pk",
        "ExpressionAttributeValues": {":pk": "a"},
        "Limit": 2,
    }
    first = db.execute("Query", request)
    assert (first["Items"], first["LastEvaluatedKey"]) == (items[:2], key("2"))
    request["ExclusiveStartKey"] = first["LastEvaluatedKey"]
    assert db.execute("Query", request)["Items"] == items[2:]
    assert db.execute("Scan", {"TableName": "app"})["Items"] == items


def test_batches_have_plain_items(db):
    items = [{**key(sort), "n": 1} for sort in "12"]
    puts = [{"PutRequest": {"Item": item}} for item in items]
    written = db.execute(
        "BatchWriteItem",
        {"RequestItems": {"app": puts}, "ReturnItemCollectionMetrics": "SIZE"},
    )
    assert written["UnprocessedItems"] == {}
    assert written["ItemCollectionMetrics"]["app"][0]["ItemCollectionKey"] == {"PK": "a"}
    keys = {"app": {"Keys": [key("1"), key("2")]}}
    read = db.execute("BatchGetItem", {"RequestItems": keys})
    assert sorted(read["Responses"]["app"], key=lambda item: item["SK"]) == items


def test_transactions_have_plain_items(db):
    item = {**key(), "n": 1}
    db.execute(
        "TransactWriteItems", {"TransactItems": [{"Put": {"TableName": "app", "Item": item}}]}
    )
    gets = [{"Get": {"TableName": "app", "Key": key()}}]
    assert db.execute("TransactGetItems", {"TransactItems": gets})["Responses"] == [{"Item": item}]


def test_statements_have_plain_parameters_and_items(db):
    item = put(db, n=1)
    statement = {
        "Statement": "SELECT * FROM app WHERE PK=? AND SK=?",
        "Parameters": [item["PK"], item["SK"]],
    }
    assert db.execute("ExecuteStatement", statement)["Items"] == [item]
    batch = db.execute("BatchExecuteStatement", {"Statements": [statement]})
    assert batch["Responses"] == [{"TableName": "app", "Item": item}]
    read = db.execute("ExecuteTransaction", {"TransactStatements": [statement]})
    assert read["Responses"] == [{"Item": item}]


def test_legacy_conditions_have_plain_values(db):
    item = put(db, n=1)
    condition = {"AttributeValueList": ["a"], "ComparisonOperator": "EQ"}
    query = {"TableName": "app", "KeyConditions": {"PK": condition}}
    assert db.execute("Query", query)["Items"] == [item]
    updates = {"n": {"Value": 2, "Action": "ADD"}}
    db.execute(
        "UpdateItem",
        {
            "TableName": "app",
            "Key": key(),
            "AttributeUpdates": updates,
            "Expected": {"n": {"Value": 1}},
        },
    )
    assert get(db)["n"] == 3


def test_records_of_streams_have_plain_images(db):
    item = put(db, n=1)
    arn = db.execute("ListStreams", {"TableName": "app"})["Streams"][0]["StreamArn"]
    shard = db.execute("DescribeStream", {"StreamArn": arn})["StreamDescription"]["Shards"][0]
    iterator = db.execute(
        "GetShardIterator",
        {
            "StreamArn": arn,
            "ShardId": shard["ShardId"],
            "ShardIteratorType": "TRIM_HORIZON",
        },
    )["ShardIterator"]
    records = db.execute("GetRecords", {"ShardIterator": iterator})["Records"]
    assert [record["dynamodb"]["NewImage"] for record in records] == [item]
    assert records[0]["dynamodb"]["Keys"] == key()


def test_a_false_condition_is_an_error_with_the_item(db):
    item = put(db, n=1)
    with pytest.raises(dolmen.Error) as caught:
        db.execute(
            "PutItem",
            {
                "TableName": "app",
                "Item": key(),
                "ConditionExpression": "attribute_not_exists(PK)",
                "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
            },
        )
    assert caught.value.name == "ConditionalCheckFailedException"
    assert caught.value.message == "The conditional request failed"
    assert caught.value.response["Item"] == item
    assert str(caught.value) == "ConditionalCheckFailedException: The conditional request failed"


def test_a_canceled_transaction_is_an_error_with_its_reasons(db):
    item = put(db, n=1)
    condition = {
        "TableName": "app",
        "Key": key(),
        "ConditionExpression": "attribute_not_exists(PK)",
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    with pytest.raises(dolmen.Error) as caught:
        db.execute("TransactWriteItems", {"TransactItems": [{"ConditionCheck": condition}]})
    assert caught.value.name == "TransactionCanceledException"
    (reason,) = caught.value.response["CancellationReasons"]
    assert (reason["Code"], reason["Item"]) == ("ConditionalCheckFailed", item)


@pytest.mark.parametrize(
    ("operation", "request_", "name"),
    [
        ("GetItem", {"TableName": "nowhere", "Key": key()}, "ResourceNotFoundException"),
        ("GetItem", {"TableName": "app", "Key": {"PK": "a"}}, "ValidationException"),
        ("GetItem", {"TableName": "app", "Key": 5}, "SerializationException"),
        ("BatchGetItem", {"RequestItems": [1]}, "SerializationException"),
        ("NoSuchOperation", {}, "UnknownOperationException"),
    ],
)
def test_a_wrong_request_is_an_error(db, operation, request_, name):
    with pytest.raises(dolmen.Error) as caught:
        db.execute(operation, request_)
    assert caught.value.name == name


def test_a_request_and_its_answer_can_be_json(db):
    item = {"PK": {"S": "a"}, "SK": {"S": "1"}}
    request = {"TableName": "app", "Item": item}
    assert db.execute_json("PutItem", json.dumps(request)) == b"{}"
    answer = db.execute_json("GetItem", json.dumps({"TableName": "app", "Key": item}).encode())
    assert json.loads(answer) == {"Item": item}
    with pytest.raises(dolmen.Error, match="SerializationException"):
        db.execute_json("GetItem", "no JSON")
