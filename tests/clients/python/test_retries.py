"""Tests that the SDK's own retries get through throttling."""

from botocore.config import Config

import in_process
from support import (
    ENDPOINT,
    EndpointTest,
    definitions,
    key_schema,
    make_controlled,
)


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
    def test_each_operation_gets_through_when_a_fifth_of_all_requests_is_throttled(self):
        session, database = make_controlled("throttled")
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
        if in_process.database is not None:
            return  # only a server lists its requests
        self.assertEqual(len(trace), database.statuses().count(400))
        self.assertEqual(1 + 5 * 8, database.statuses().count(200))
