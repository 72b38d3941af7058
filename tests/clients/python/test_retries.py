"""Tests that the SDK's own retries get through throttling."""

import json
import urllib.request

import boto3
from botocore.config import Config

import in_process
from support import ENDPOINT, EndpointTest, definitions, differs_locally, key_schema

# The owner of a database that no other test uses.
ACCESS_KEY = "throttled"


class Server:
    """The database of ACCESS_KEY, as a test over HTTP controls it."""

    def simulate(self, policy):
        self._control("POST", "simulate", policy)

    def trace(self):
        return self._control("GET", "simulate")["Trace"]

    def statuses(self):
        return [request["Status"] for request in self._control("GET", "requests")["Requests"]]

    def _control(self, method, path, body=None):
        request = urllib.request.Request(
            f"{ENDPOINT}/_dolmen/{path}",
            method=method,
            headers={"X-Dolmen-Access-Key": ACCESS_KEY},
            data=None if body is None else json.dumps(body).encode(),
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)


def use_every_operation(client, pk):
    """Calls each operation that DynamoDB throttles, and the SDK retries, once."""
    key = {"PK": {"S": pk}, "SK": {"S": "1"}}
    one = {":one": {"N": "1"}}
    partition = {":pk": key["PK"]}
    client.put_item(TableName="app", Item={**key, "n": {"N": "1"}})
    client.update_item(
        TableName="app",
        Key=key,
        UpdateExpression="ADD n :one",
        ExpressionAttributeValues=one,
    )
    client.get_item(TableName="app", Key=key)
    client.query(
        TableName="app",
        KeyConditionExpression="PK = :pk",
        ExpressionAttributeValues=partition,
    )
    client.scan(TableName="app")
    client.batch_get_item(RequestItems={"app": {"Keys": [key]}})
    client.batch_write_item(
        RequestItems={"app": [{"PutRequest": {"Item": {**key, "SK": {"S": "2"}}}}]}
    )
    client.delete_item(TableName="app", Key=key)


class Retries(EndpointTest):
    @differs_locally("it does not throttle")
    def test_each_operation_gets_through_when_a_fifth_of_all_requests_is_throttled(self):
        session = boto3.Session(ACCESS_KEY, "secret", region_name="us-east-1")
        in_this_process = in_process.database is not None
        database = in_process.new_database(session) if in_this_process else Server()
        client = session.client(
            "dynamodb", endpoint_url=ENDPOINT, config=Config(retries={"mode": "standard"})
        )
        client.create_table(
            TableName="app",
            KeySchema=key_schema("PK", "SK"),
            AttributeDefinitions=definitions(PK="S", SK="S"),
            BillingMode="PAY_PER_REQUEST",
        )
        database.simulate({"Seed": 7, "Rules": [{"Fault": "Throttling", "Chance": 0.2}]})
        for n in range(5):
            use_every_operation(client, f"{n}")
        trace = database.trace()
        self.assertGreater(len(trace), 5)
        if in_this_process:
            return  # only a server lists its requests
        self.assertEqual(len(trace), database.statuses().count(400))
        self.assertEqual(1 + 5 * 8, database.statuses().count(200))
