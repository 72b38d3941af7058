"""Tests of requests for one item, through boto3's Table and through its client."""

from decimal import Decimal

from boto3.dynamodb.conditions import Attr
from boto3.dynamodb.types import Binary, TypeDeserializer, TypeSerializer

from support import TableTest

ALL_TYPES = {
    "text": "Olá, 世界 🎓",
    "nothing": "",
    "integer": Decimal(42),
    "exact": Decimal("12345678901234567890123456789012345678"),
    "small": Decimal("-0.000000000000000000000000000000000000012345"),
    "bytes": Binary(b"\x00\xff\x10"),
    "no_bytes": Binary(b""),
    "yes": True,
    "no": False,
    "null": None,
    "list": ["a", Decimal(1), [Binary(b"b")], {}],
    "empty_list": [],
    "map": {"a.b": {"c": Decimal("1.5")}, "empty": []},
    "strings": {"a", "b", ""},
    "numbers": {Decimal(1), Decimal("2.5")},
    "binaries": {Binary(b"a"), Binary(b"b")},
}


class Items(TableTest):
    def test_every_type_is_returned_as_it_was_put(self):
        item = self.put(**ALL_TYPES)
        self.assertEqual(item, self.get())

    def test_the_client_uses_typed_values(self):
        serialize, deserialize = TypeSerializer().serialize, TypeDeserializer().deserialize
        item = serialize({**self.key(), **ALL_TYPES})["M"]
        self.client.put_item(TableName=self.name, Item=item)
        found = self.client.get_item(TableName=self.name, Key=self.typed_key())["Item"]
        self.assertEqual(item.keys(), found.keys())
        self.assertEqual({"S": "Olá, 世界 🎓"}, found["text"])
        self.assertEqual({"B": b"\x00\xff\x10"}, found["bytes"])
        self.assertEqual({"NULL": True}, found["null"])
        self.assertEqual(
            {"M": {"a.b": {"M": {"c": {"N": "1.5"}}}, "empty": {"L": []}}}, found["map"]
        )
        self.assertEqual({**self.key(), **ALL_TYPES}, deserialize({"M": found}))

    def test_the_response_for_an_absent_item_has_no_item(self):
        response = self.table.get_item(Key=self.key("absent"))
        self.assertEqual({"ResponseMetadata"}, response.keys())

    def test_put_replaces_and_returns_the_old_item(self):
        first = self.put(a=1, b=2)
        response = self.table.put_item(Item={**self.key(), "c": 3}, ReturnValues="ALL_OLD")
        self.assertEqual(first, response["Attributes"])
        self.assertEqual({**self.key(), "c": Decimal(3)}, self.get())

    def test_delete_returns_the_old_item_and_can_be_repeated(self):
        item = self.put(a=1)
        response = self.table.delete_item(Key=self.key(), ReturnValues="ALL_OLD")
        self.assertEqual(item, response["Attributes"])
        response = self.table.delete_item(Key=self.key(), ReturnValues="ALL_OLD")
        self.assertNotIn("Attributes", response)

    def test_an_update_sets_removes_adds_and_deletes(self):
        self.put(a=1, b=2, c={"x", "y"}, d=[1, 2, 3], e="gone")
        self.table.update_item(
            Key=self.key(),
            UpdateExpression="SET a = b, b = a, d = list_append(d, :four) REMOVE e ADD n :five "
            "DELETE c :x",
            ExpressionAttributeValues={":four": [4], ":five": 5, ":x": {"x"}},
        )
        expected = {**self.key(), "a": 2, "b": 1, "c": {"y"}, "d": [1, 2, 3, 4], "n": 5}
        self.assertEqual(expected, self.get())


class Conditions(TableTest):
    """Tests of writes with each of the conditions that boto3 can build."""

    STORED = {
        "text": "course",
        "n": 10,
        "tags": {"a", "b"},
        "list": ["x", {"y": 1}],
        "map": {"a": {"b": "c"}},
        "null": None,
    }

    def setUp(self):
        self.put(**self.STORED)

    def holds(self, condition):
        try:
            self.table.update_item(
                Key=self.key(),
                UpdateExpression="SET touched = :yes",
                ConditionExpression=condition,
                ExpressionAttributeValues={":yes": True},
            )
            return True
        except self.dynamodb.meta.client.exceptions.ConditionalCheckFailedException:
            return False

    def test_writes_with_true_conditions_succeed_and_with_false_conditions_fail(self):
        for condition in (
            Attr("text").eq("course"),
            Attr("text").ne("other"),
            Attr("absent").ne("other"),
            Attr("n").lt(11),
            Attr("n").lte(10),
            Attr("n").gt(Decimal("9.999")),
            Attr("n").gte(10),
            Attr("n").between(10, 12),
            Attr("text").begins_with("cou"),
            Attr("text").is_in(["a", "course"]),
            Attr("tags").contains("a"),
            Attr("text").contains("our"),
            Attr("list").contains("x"),
            Attr("null").exists(),
            Attr("absent").not_exists(),
            Attr("null").attribute_type("NULL"),
            Attr("tags").attribute_type("SS"),
            Attr("text").size().eq(6),
            Attr("list").size().between(1, 2),
            Attr("map.a.b").eq("c"),
            Attr("list[1].y").eq(1),
            Attr("map").eq({"a": {"b": "c"}}),
            Attr("tags").eq({"b", "a"}),
            ~Attr("n").eq(11),
            Attr("n").eq(10) & Attr("text").exists() & ~Attr("absent").exists(),
            Attr("n").eq(11) | (Attr("text").eq("course") & Attr("n").lt(20)),
        ):
            with self.subTest(condition.get_expression()):
                self.assertTrue(self.holds(condition))
                self.assertFalse(self.holds(~condition))

    def test_a_failed_condition_returns_the_item_on_request(self):
        with self.assert_error(
            "ConditionalCheckFailedException", "The conditional request failed"
        ) as found:
            self.client.delete_item(
                TableName=self.name,
                Key=self.typed_key(),
                ConditionExpression="n = :n",
                ExpressionAttributeValues={":n": {"N": "11"}},
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )
        self.assertEqual({"N": "10"}, found["Item"]["n"])
        self.assertEqual(self.STORED.keys() | {"PK", "SK"}, found["Item"].keys())
