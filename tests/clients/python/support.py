"""Clients of the tested endpoint, and helpers that the tests share."""

import contextlib
import json
import os
import unittest
import urllib.request

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

import in_process

ENDPOINT = os.environ["DOLMEN_ENDPOINT"]
# A client sends each request once. A retry could hide a failure.
CONFIG = Config(retries={"total_max_attempts": 1}, connect_timeout=5, read_timeout=30)


def make_client(service="dynamodb", **options):
    config = CONFIG.merge(Config(**options))
    return boto3.client(service, endpoint_url=ENDPOINT, config=config)


def make_session(access_key):
    """Returns a session whose clients use a database of their own."""
    return make_controlled(access_key)[0]


class ControlledServer:
    """The database of an access key, as a test over HTTP controls it."""

    def __init__(self, access_key):
        self.access_key = access_key

    def simulate(self, policy):
        self._control("POST", "simulate", policy)

    def trace(self):
        return self._control("GET", "simulate")["Trace"]

    def statuses(self):
        return [request["Status"] for request in self._control("GET", "requests")["Requests"]]

    def advance(self, time):
        self._control("POST", f"clock?advance={time.total_seconds():.0f}")

    def _control(self, method, path, body=None):
        request = urllib.request.Request(
            f"{ENDPOINT}/_dolmen/{path}",
            method=method,
            headers={"X-Dolmen-Access-Key": self.access_key},
            data=None if body is None else json.dumps(body).encode(),
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)


def make_controlled(access_key):
    """Returns a session with a database of its own, and the controls of this database."""
    session = boto3.Session(access_key, "secret", region_name="us-east-1")
    if in_process.database is not None:
        return session, in_process.new_database(session)
    return session, ControlledServer(access_key)


def make_resource():
    return boto3.resource("dynamodb", endpoint_url=ENDPOINT, config=CONFIG)


def key_schema(*names):
    return [
        {"AttributeName": name, "KeyType": role} for name, role in zip(names, ("HASH", "RANGE"))
    ]


def definitions(**types):
    return [{"AttributeName": name, "AttributeType": kind} for name, kind in types.items()]


def index(name, *keys, projection="ALL"):
    return {
        "IndexName": name,
        "KeySchema": key_schema(*keys),
        "Projection": {"ProjectionType": projection},
    }


def as_set(items):
    """Returns the items sorted by key, for a comparison that ignores their order."""
    return sorted(items, key=lambda item: (item["PK"], item["SK"]))


class EndpointTest(unittest.TestCase):
    """A test that sends requests to the endpoint."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.client = make_client()
        cls.dynamodb = make_resource()

    def await_table(self, name, is_ready):
        """Describes the table, without sleeping, until is_ready(description) is true."""
        for _ in range(10_000):
            table = self.client.describe_table(TableName=name)["Table"]
            if is_ready(table):
                return table
        self.fail(table)

    @contextlib.contextmanager
    def assert_error(self, code, message):
        """Expects the enclosed call to fail with this error. Yields a dict to hold the response."""
        found = {}
        with self.assertRaises(ClientError) as caught:
            yield found
        found.update(caught.exception.response)
        self.assertEqual({"Code": code, "Message": message}, found["Error"])
        self.assertEqual(400, found["ResponseMetadata"]["HTTPStatusCode"])

    def assert_invalid(self, message):
        return self.assert_error("ValidationException", message)


class TableTest(EndpointTest):
    """A test class with its own table. The table has the name of the class.

    The table has the keys PK and SK, the index GSI1, the local index Rank, whose sort key is the
    number rank, and a stream. Each test writes under its own partition key.
    """

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.table = cls.dynamodb.create_table(
            TableName=cls.__name__,
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=definitions(PK="S", SK="S", GSI1PK="S", GSI1SK="S", rank="N"),
            KeySchema=key_schema("PK", "SK"),
            GlobalSecondaryIndexes=[index("GSI1", "GSI1PK", "GSI1SK")],
            LocalSecondaryIndexes=[index("Rank", "PK", "rank", projection="KEYS_ONLY")],
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
        )
        cls.table.wait_until_exists()
        cls.name = cls.table.name

    @classmethod
    def tearDownClass(cls):
        cls.table.delete()

    @property
    def partition(self):
        return self._testMethodName

    def key(self, sort="1"):
        return {"PK": self.partition, "SK": sort}

    def put(self, sort="1", **attributes):
        """Puts and returns an item."""
        item = {**self.key(sort), **attributes}
        self.table.put_item(Item=item)
        return item

    def get(self, sort="1"):
        return self.table.get_item(Key=self.key(sort), ConsistentRead=True).get("Item")

    def typed_key(self, sort="1"):
        """Returns the key with its types, {"PK": {"S": ...}, ...}, as a boto3 client needs it."""
        return {"PK": {"S": self.partition}, "SK": {"S": sort}}
