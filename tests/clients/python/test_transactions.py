"""Tests of TransactWriteItems and TransactGetItems."""

import uuid

from support import TableTest, differs_locally

CANCELLED = "Transaction cancelled, please refer cancellation reasons for specific reasons "


class Transactions(TableTest):
    def action(self, kind, sort, **more):
        """Returns an action as a boto3 client needs it, with the types of all values."""
        key = {} if kind == "Put" else {"Key": self.typed_key(sort)}
        return {kind: {"TableName": self.name, **key, **more}}

    def item_of(self, sort, **more):
        return {**self.typed_key(sort), **more}

    def transact(self, *actions, **options):
        return self.client.transact_write_items(TransactItems=list(actions), **options)

    def test_a_transaction_combines_all_four_kinds_of_actions(self):
        self.put("update", n=1)
        self.put("delete")
        self.put("check", ok=True)
        response = self.transact(
            self.action("Put", "put", Item=self.item_of("put", a={"S": "new"})),
            self.action(
                "Update",
                "update",
                UpdateExpression="SET n = n + :one",
                ExpressionAttributeValues={":one": {"N": "1"}},
            ),
            self.action("Delete", "delete"),
            self.action(
                "ConditionCheck",
                "check",
                ConditionExpression="ok = :yes",
                ExpressionAttributeValues={":yes": {"BOOL": True}},
            ),
        )
        self.assertEqual({"ResponseMetadata"}, response.keys())
        self.assertEqual({**self.key("put"), "a": "new"}, self.get("put"))
        self.assertEqual({**self.key("update"), "n": 2}, self.get("update"))
        self.assertIsNone(self.get("delete"))
        self.assertEqual({**self.key("check"), "ok": True}, self.get("check"))

    def test_one_failed_condition_cancels_all_and_shows_its_item(self):
        self.put("stored", n=1)
        with self.assert_error(
            "TransactionCanceledException", CANCELLED + "[None, ConditionalCheckFailed, None]"
        ) as found:
            self.transact(
                self.action("Put", "1", Item=self.item_of("1")),
                self.action(
                    "Update",
                    "stored",
                    UpdateExpression="SET n = :new",
                    ConditionExpression="n = :old",
                    ExpressionAttributeValues={":new": {"N": "3"}, ":old": {"N": "2"}},
                    ReturnValuesOnConditionCheckFailure="ALL_OLD",
                ),
                self.action("Delete", "2"),
            )
        none, failed, also_none = found["CancellationReasons"]
        self.assertEqual("None", none["Code"])
        self.assertEqual(none, also_none)
        self.assertFalse(none.get("Message"))
        self.assertEqual(
            {
                "Code": "ConditionalCheckFailed",
                "Message": "The conditional request failed",
                "Item": self.item_of("stored", n={"N": "1"}),
            },
            failed,
        )
        self.assertIsNone(self.get("1"))
        self.assertEqual(1, self.get("stored")["n"])

    @differs_locally("a failed update is the whole error and not a cancellation reason")
    def test_an_update_that_cannot_be_evaluated_is_a_cancellation_reason(self):
        self.put("1", text="a")
        with self.assert_error(
            "TransactionCanceledException", CANCELLED + "[ValidationError]"
        ) as found:
            self.transact(
                self.action(
                    "Update",
                    "1",
                    UpdateExpression="SET #t = #t + :one",
                    ExpressionAttributeNames={"#t": "text"},
                    ExpressionAttributeValues={":one": {"N": "1"}},
                )
            )
        self.assertEqual(
            [
                {
                    "Code": "ValidationError",
                    "Message": "An operand in the update expression has an incorrect data type",
                }
            ],
            found["CancellationReasons"],
        )

    def test_two_actions_on_one_item_are_rejected(self):
        with self.assert_invalid(
            "Transaction request cannot include multiple operations on one item"
        ):
            self.transact(
                self.action("Put", "1", Item=self.item_of("1")), self.action("Delete", "1")
            )

    def test_a_repetition_with_the_same_token_changes_nothing(self):
        request = {
            "TransactItems": [
                self.action(
                    "Update",
                    "1",
                    UpdateExpression="ADD n :one",
                    ExpressionAttributeValues={":one": {"N": "1"}},
                )
            ],
            "ClientRequestToken": uuid.uuid4().hex,
        }
        self.client.transact_write_items(**request)
        self.client.transact_write_items(**request)
        self.assertEqual(1, self.get()["n"])
        request["TransactItems"] = [self.action("Delete", "1")]
        with self.assertRaises(self.client.exceptions.IdempotentParameterMismatchException):
            self.client.transact_write_items(**request)
        self.assertEqual(1, self.get()["n"])

    @differs_locally("it counts a local index entry that the item does not have")
    def test_capacity_is_doubled(self):
        response = self.transact(
            self.action("Put", "1", Item=self.item_of("1")), ReturnConsumedCapacity="TOTAL"
        )
        self.assertEqual(
            [{"TableName": self.name, "CapacityUnits": 2.0, "WriteCapacityUnits": 2.0}],
            response["ConsumedCapacity"],
        )

    def test_get_returns_the_items_in_the_order_of_the_keys(self):
        self.put("1", a=1, b=2)
        self.put("3", b=3)
        response = self.client.transact_get_items(
            TransactItems=[
                self.action("Get", "3"),
                self.action("Get", "2"),
                self.action("Get", "1", ProjectionExpression="a"),
                self.action("Get", "4"),
            ]
        )
        self.assertEqual(
            [{"Item": self.item_of("3", b={"N": "3"})}, {}, {"Item": {"a": {"N": "1"}}}, {}],
            response["Responses"],
        )

    def test_a_transaction_accepts_100_actions(self):
        puts = [
            self.action("Put", "", Item=self.item_of(f"{n:03}", n={"N": str(n)}))
            for n in range(100)
        ]
        self.transact(*puts)
        count = self.client.query(
            TableName=self.name,
            KeyConditionExpression="PK = :pk",
            ExpressionAttributeValues={":pk": {"S": self.partition}},
            Select="COUNT",
        )
        self.assertEqual(100, count["Count"])
