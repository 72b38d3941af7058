"""Tests of the legacy parameters, which are older than expressions and still in use."""

from support import TableTest


def condition(operator, *values):
    return {"ComparisonOperator": operator, "AttributeValueList": list(values)}


class Legacy(TableTest):
    STORED = {"text": "abc", "n": 10, "tags": {"x", "y"}, "list": [1, 2], "null": None}

    def setUp(self):
        for sort in ("1", "2", "31", "32"):
            self.put(sort, **self.STORED)
        self.key_condition = {"PK": condition("EQ", self.partition)}

    def query(self, sort=None, **options):
        conditions = {**self.key_condition, **({"SK": sort} if sort else {})}
        return self.table.query(KeyConditions=conditions, **options)

    def sorts(self, page):
        return [item["SK"] for item in page["Items"]]

    def update(self, updates, **options):
        """Updates the item with the key "1". Returns its attributes without the key attributes."""
        found = self.table.update_item(
            Key=self.key("1"), AttributeUpdates=updates, ReturnValues="ALL_NEW", **options
        )["Attributes"]
        return {name: value for name, value in found.items() if name not in ("PK", "SK")}

    def test_key_conditions_select_items(self):
        self.assertEqual(["1", "2", "31", "32"], self.sorts(self.query()))
        for sort, expected in (
            (condition("EQ", "2"), ["2"]),
            (condition("LE", "2"), ["1", "2"]),
            (condition("LT", "2"), ["1"]),
            (condition("GE", "31"), ["31", "32"]),
            (condition("GT", "31"), ["32"]),
            (condition("BEGINS_WITH", "3"), ["31", "32"]),
            (condition("BETWEEN", "2", "31"), ["2", "31"]),
        ):
            with self.subTest(sort):
                self.assertEqual(expected, self.sorts(self.query(sort)))

    def test_attributes_to_get_selects_attributes(self):
        found = self.table.get_item(Key=self.key("1"), AttributesToGet=["text", "absent", "SK"])
        self.assertEqual({"text": "abc", "SK": "1"}, found["Item"])
        page = self.query(condition("EQ", "1"), AttributesToGet=["n"])
        self.assertEqual([{"n": 10}], page["Items"])

    def test_a_query_filter_leaves_out_items(self):
        self.put("2", n=11)
        page = self.query(QueryFilter={"n": condition("EQ", 10), "text": condition("NOT_NULL")})
        self.assertEqual(["1", "31", "32"], self.sorts(page))
        self.assertEqual((3, 4), (page["Count"], page["ScannedCount"]))
        page = self.query(
            QueryFilter={"n": condition("GT", 10), "absent": condition("EQ", 1)},
            ConditionalOperator="OR",
        )
        self.assertEqual(["2"], self.sorts(page))

    def test_expected_values_are_checked(self):
        for expected in (
            {"n": {"Value": 10}},
            {"n": {"Value": 10, "Exists": True}},
            {"absent": {"Exists": False}},
            {"n": condition("BETWEEN", 5, 15), "text": condition("BEGINS_WITH", "a")},
        ):
            with self.subTest(expected):
                self.table.put_item(Item=self.put("1", **self.STORED), Expected=expected)
        failed = self.table.meta.client.exceptions.ConditionalCheckFailedException
        for expected in (
            {"n": {"Value": 11}},
            {"n": {"Exists": False}},
            {"n": condition("EQ", 10), "text": condition("EQ", "other")},
        ):
            with self.subTest(expected), self.assertRaises(failed):
                self.table.delete_item(Key=self.key("1"), Expected=expected)
        self.table.delete_item(
            Key=self.key("1"),
            Expected={"n": condition("EQ", 10), "text": condition("EQ", "other")},
            ConditionalOperator="OR",
        )
        self.assertIsNone(self.get("1"))

    def test_attribute_updates_change_the_item(self):
        found = self.update(
            {
                "text": {"Action": "PUT", "Value": "new"},
                "n": {"Action": "ADD", "Value": 5},
                "tags": {"Action": "ADD", "Value": {"z"}},
                "list": {"Action": "ADD", "Value": [3]},
                "null": {"Action": "DELETE"},
                "count": {"Action": "ADD", "Value": 1},
            }
        )
        self.assertEqual(
            {"text": "new", "n": 15, "tags": {"x", "y", "z"}, "list": [1, 2, 3], "count": 1}, found
        )
        found = self.update(
            {"tags": {"Action": "DELETE", "Value": {"x", "y"}}, "plain": {"Value": "put"}},
            Expected={"n": {"Value": 15}},
        )
        self.assertEqual(({"z"}, "put"), (found["tags"], found["plain"]))
