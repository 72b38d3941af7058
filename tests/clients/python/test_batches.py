"""Tests of batches and transactions."""

from decimal import Decimal

from support import TableTest, as_set


class Batches(TableTest):
    def keys(self, count):
        return [self.key(f"{n:03}") for n in range(count)]

    def batch_get(self, keys, **options):
        request = {self.name: {"Keys": keys, **options}}
        return self.dynamodb.batch_get_item(RequestItems=request)

    def test_a_batch_writer_sends_25_items_per_request(self):
        sizes = []
        client = self.table.meta.client
        client.meta.events.register(
            "before-parameter-build.dynamodb.BatchWriteItem",
            lambda params, **_: sizes.append(len(params["RequestItems"][self.name])),
            unique_id="count",
        )
        self.addCleanup(
            client.meta.events.unregister,
            "before-parameter-build.dynamodb.BatchWriteItem",
            unique_id="count",
        )
        items = [{**key, "n": Decimal(n)} for n, key in enumerate(self.keys(60))]
        with self.table.batch_writer() as batch:
            for item in items:
                batch.put_item(Item=item)
        self.assertEqual([25, 25, 10], sizes)
        found = self.batch_get(self.keys(60))
        self.assertEqual(items, as_set(found["Responses"][self.name]))
        self.assertEqual({}, found["UnprocessedKeys"])

    def test_a_batch_writer_puts_and_deletes(self):
        self.put("000", old=True)
        with self.table.batch_writer() as batch:
            batch.delete_item(Key=self.key("000"))
            batch.delete_item(Key=self.key("absent"))
            batch.put_item(Item=self.key("001"))
        found = self.batch_get(self.keys(2))["Responses"][self.name]
        self.assertEqual([self.key("001")], found)

    def test_a_batch_writer_keeps_the_last_of_equal_keys(self):
        with self.table.batch_writer(overwrite_by_pkeys=["PK", "SK"]) as batch:
            for n in range(30):
                batch.put_item(Item={**self.key("same"), "n": n})
        self.assertEqual({**self.key("same"), "n": 29}, self.get("same"))

    def test_a_batch_writes_and_reads_two_tables(self):
        other = self.dynamodb.create_table(
            TableName="Batches-other",
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "N"}],
            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        )
        other.wait_until_exists()
        self.addCleanup(other.delete)
        written = self.dynamodb.batch_write_item(
            RequestItems={
                self.name: [{"PutRequest": {"Item": {**self.key(), "a": 1}}}],
                other.name: [{"PutRequest": {"Item": {"id": 7, "b": 2}}}],
            },
            ReturnConsumedCapacity="TOTAL",
        )
        self.assertEqual({}, written["UnprocessedItems"])
        self.assertEqual(
            [
                {"TableName": self.name, "CapacityUnits": 1.0},
                {"TableName": other.name, "CapacityUnits": 1.0},
            ],
            sorted(written["ConsumedCapacity"], key=lambda entry: entry["TableName"]),
        )
        found = self.dynamodb.batch_get_item(
            RequestItems={
                self.name: {"Keys": [self.key(), self.key("absent")], "ConsistentRead": True},
                other.name: {
                    "Keys": [{"id": 7}, {"id": 8}],
                    "ProjectionExpression": "#b",
                    "ExpressionAttributeNames": {"#b": "b"},
                },
            }
        )
        self.assertEqual(
            {self.name: [{**self.key(), "a": 1}], other.name: [{"b": 2}]}, found["Responses"]
        )

    def test_a_transaction_combines_all_kinds_of_actions(self):
        self.put("checked")
        self.put("updated", n=1)
        self.put("deleted")

        def on(sort, **parts):
            return {"TableName": self.name, "Key": self.key(sort), **parts}

        client = self.dynamodb.meta.client  # converts Python values, as the table does
        client.transact_write_items(
            TransactItems=[
                {"Put": {"TableName": self.name, "Item": {**self.key("put"), "a": {1, 2}}}},
                {
                    "Update": on(
                        "updated",
                        UpdateExpression="ADD n :one",
                        ExpressionAttributeValues={":one": 1},
                    )
                },
                {"Delete": on("deleted")},
                {"ConditionCheck": on("checked", ConditionExpression="attribute_exists(PK)")},
            ]
        )
        found = client.transact_get_items(
            TransactItems=[{"Get": on(sort)} for sort in ("put", "updated", "deleted")]
        )
        self.assertEqual(
            [
                {"Item": {**self.key("put"), "a": {Decimal(1), Decimal(2)}}},
                {"Item": {**self.key("updated"), "n": Decimal(2)}},
                {},
            ],
            found["Responses"],
        )
