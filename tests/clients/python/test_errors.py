"""Tests of the errors for invalid requests, in the form of a ClientError."""

from support import INVALID, TableTest, differs_locally, make_client

NOT_FOUND = "Requested resource not found"


class Errors(TableTest):
    def update(self, expression, **options):
        return self.client.update_item(
            TableName=self.name, Key=self.typed_key(), UpdateExpression=expression, **options
        )

    def query(self, condition, values, **options):
        return self.client.query(
            TableName=self.name,
            KeyConditionExpression=condition,
            ExpressionAttributeValues=values,
            **options,
        )

    @differs_locally("it has another message for a missing table")
    def test_an_absent_table_is_not_found(self):
        with self.assert_error("ResourceNotFoundException", NOT_FOUND):
            self.client.get_item(TableName="nowhere", Key=self.typed_key())
        with self.assert_error(
            "ResourceNotFoundException", NOT_FOUND + ": Table: nowhere not found"
        ):
            self.client.describe_table(TableName="nowhere")

    def test_errors_of_the_api_model_are_classes(self):
        with self.assertRaises(self.client.exceptions.ResourceNotFoundException):
            self.client.query(
                TableName="nowhere",
                KeyConditionExpression="PK = :pk",
                ExpressionAttributeValues={":pk": {"S": "a"}},
            )

    @differs_locally("its request ids are UUIDs")
    def test_every_response_has_a_request_id(self):
        metadata = self.client.list_tables()["ResponseMetadata"]
        self.assertRegex(metadata["RequestId"], "^[0-9A-Z]{52}$")
        with self.assert_error("ResourceNotFoundException", NOT_FOUND) as found:
            self.client.get_item(TableName="nowhere", Key=self.typed_key())
        self.assertRegex(found["ResponseMetadata"]["RequestId"], "^[0-9A-Z]{52}$")

    def test_syntax_errors_are_reported(self):
        for expression, message in (
            ("SET a =", 'Syntax error; token: "<EOF>", near: "="'),
            (
                "SET status = PK",
                "Attribute name is a reserved keyword; reserved keyword: status",
            ),
            (
                "SET #a = PK",
                "An expression attribute name used in the document path is not defined; "
                "attribute name: #a",
            ),
            (
                "SET a = :a",
                "An expression attribute value used in expression is not defined; "
                "attribute value: :a",
            ),
            (
                "SET a.b = PK REMOVE a",
                "Two document paths overlap with each other; must remove or rewrite one of these "
                "paths; path one: [a, b], path two: [a]",
            ),
            (
                "SET a = size(b)",
                "The function is not allowed in an update expression; function: size",
            ),
            (
                "REMOVE a REMOVE b",
                'The "REMOVE" section can only be used once in an update expression;',
            ),
            ("", "The expression can not be empty;"),
        ):
            with self.subTest(expression):
                with self.assert_invalid("Invalid UpdateExpression: " + message):
                    self.update(expression)

    def test_unused_placeholders_are_rejected(self):
        with self.assert_invalid(
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:b}"
        ):
            self.update(
                "SET a = :a", ExpressionAttributeValues={":a": {"S": "a"}, ":b": {"S": "b"}}
            )
        with self.assert_invalid(
            "ExpressionAttributeNames can only be specified when using expressions"
        ):
            self.client.get_item(
                TableName=self.name,
                Key=self.typed_key(),
                ExpressionAttributeNames={"#a": "a"},
            )

    def test_updates_that_cannot_be_evaluated_are_rejected(self):
        self.put(text="a")
        for expression, message in (
            (
                "SET a = absent",
                "The provided expression refers to an attribute that does not exist in the item",
            ),
            (
                "SET a.b = PK",
                "The document path provided in the update expression is invalid for update",
            ),
            (
                "SET SK = PK",
                INVALID + "Cannot update attribute SK. This attribute is part of the key",
            ),
        ):
            with self.subTest(expression), self.assert_invalid(message):
                self.update(expression)
        with self.assert_invalid("An operand in the update expression has an incorrect data type"):
            self.update(
                "SET a = #t + :one",
                ExpressionAttributeNames={"#t": "text"},
                ExpressionAttributeValues={":one": {"N": "1"}},
            )

    @differs_locally("it has other messages for keys that do not match the schema")
    def test_keys_that_do_not_match_the_schema_are_rejected(self):
        mismatch = "The provided key element does not match the schema"
        for key in (
            {"PK": {"S": "a"}},
            {"PK": {"S": "a"}, "SK": {"N": "1"}},
            {"PK": {"S": "a"}, "SK": {"S": "b"}, "extra": {"S": "c"}},
        ):
            with self.subTest(key), self.assert_invalid(mismatch):
                self.client.get_item(TableName=self.name, Key=key)
        with self.assert_invalid(INVALID + "Missing the key SK in the item"):
            self.client.put_item(TableName=self.name, Item={"PK": {"S": "a"}})
        with self.assert_invalid(INVALID + "Type mismatch for key SK expected: S actual: N"):
            self.client.put_item(TableName=self.name, Item={"PK": {"S": "a"}, "SK": {"N": "1"}})
        with self.assert_invalid(
            INVALID + "Type mismatch for Index Key GSI1PK Expected: S Actual: N IndexName: GSI1"
        ):
            self.client.put_item(
                TableName=self.name, Item={**self.typed_key(), "GSI1PK": {"N": "1"}}
            )

    @differs_locally("it has other messages for empty and too long keys")
    def test_empty_and_too_long_keys_are_rejected(self):
        with self.assert_invalid(
            "One or more parameter values are not valid. The AttributeValue for a key attribute "
            "cannot contain an empty string value. Key: SK"
        ):
            self.client.put_item(TableName=self.name, Item=self.typed_key(""))
        with self.assert_invalid(
            INVALID + "Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
        ):
            self.client.put_item(TableName=self.name, Item=self.typed_key("x" * 1025))
        self.client.put_item(TableName=self.name, Item=self.typed_key("x" * 1024))

    def assert_no_value(self, value, message):
        with self.subTest(value), self.assert_invalid(message):
            self.client.put_item(TableName=self.name, Item={**self.typed_key(), "v": value})

    @differs_locally("it has other messages for invalid numbers")
    def test_invalid_numbers_are_rejected(self):
        for text, message in (
            ("", "The parameter cannot be converted to a numeric value"),
            ("one", "The parameter cannot be converted to a numeric value: one"),
            (
                "1e126",
                "Number overflow. Attempting to store a number with magnitude larger than "
                "supported range",
            ),
            (
                "1e-131",
                "Number underflow. Attempting to store a number with magnitude smaller than "
                "supported range",
            ),
            ("1" * 39, "Attempting to store more than 38 significant digits in a Number"),
        ):
            self.assert_no_value({"N": text}, message)
        self.assertIsNone(self.get())

    def test_empty_sets_are_rejected(self):
        for value, message in (
            ({"SS": []}, INVALID + "An string set  may not be empty"),
            ({"NS": []}, INVALID + "An number set  may not be empty"),
            ({"BS": []}, INVALID + "Binary sets should not be empty"),
        ):
            self.assert_no_value(value, message)

    @differs_locally("it has other messages for duplicates")
    def test_duplicate_members_of_a_set_are_rejected(self):
        for value, message in (
            (
                {"SS": ["a", "b", "a"]},
                INVALID + "Input collection [a, b, a] contains duplicates.",
            ),
            ({"NS": ["1", "1.0"]}, "Input collection contains duplicates"),
            (
                {"BS": [b"b", b"b"]},
                INVALID + "Input collection [Yg==, Yg==]of type BS contains duplicates.",
            ),
        ):
            self.assert_no_value(value, message)

    def test_an_item_has_at_most_400_kilobytes(self):
        keys = len("PK") + len(self.partition) + len("SK") + 1 + len("text")
        fits = "x" * (409_600 - keys)
        self.table.put_item(Item={**self.key(), "text": fits})
        with self.assert_invalid("Item size has exceeded the maximum allowed size"):
            self.table.put_item(Item={**self.key(), "text": fits + "x"})
        with self.assert_invalid("Item size to update has exceeded the maximum allowed size"):
            self.update("SET a = :a", ExpressionAttributeValues={":a": {"S": "a"}})

    def test_invalid_key_conditions_are_rejected(self):
        pk = {":pk": {"S": "a"}}
        for condition, values, message in (
            ("PK > :pk", pk, "Query key condition not supported"),
            (
                "PK = :pk OR SK = :pk",
                pk,
                "Invalid operator used in KeyConditionExpression: OR",
            ),
            (
                "PK = :pk AND PK = :pk",
                pk,
                "KeyConditionExpressions must only contain one condition per key",
            ),
            (
                "PK = :n",
                {":n": {"N": "1"}},
                INVALID + "Condition parameter type does not match schema type",
            ),
        ):
            with self.subTest(condition), self.assert_invalid(message):
                self.query(condition, values)

    @differs_locally("it has other messages")
    def test_queries_without_partition_and_consistent_reads_of_an_index_are_rejected(self):
        pk = {":pk": {"S": "a"}}
        with self.assert_invalid("Query condition missed key schema element: PK"):
            self.query("SK = :pk", pk)
        with self.assert_invalid("Consistent reads are not supported on global secondary indexes"):
            self.query("GSI1PK = :pk", pk, IndexName="GSI1", ConsistentRead=True)

    def test_invalid_queries_of_indexes_and_key_filters_are_rejected(self):
        pk = {":pk": {"S": "a"}}
        with self.assert_invalid("The table does not have the specified index: Nowhere"):
            self.query("PK = :pk", pk, IndexName="Nowhere")
        with self.assert_invalid(
            "Filter Expression can only contain non-primary key attributes: "
            "Primary key attribute: SK"
        ):
            self.query("PK = :pk", pk, FilterExpression="attribute_exists(SK)")
        with self.assert_invalid(
            "Either the KeyConditions or KeyConditionExpression parameter must be specified in "
            "the request."
        ):
            self.client.query(TableName=self.name)

    @differs_locally("it has other messages")
    def test_invalid_segments_are_rejected(self):
        with self.assert_invalid(
            "The Segment parameter is zero-based and must be less than parameter TotalSegments: "
            "Segment: 3 is not less than TotalSegments: 3"
        ):
            self.client.scan(TableName=self.name, Segment=3, TotalSegments=3)
        with self.assert_invalid(
            "The TotalSegments parameter is required but was not present in the request when "
            "Segment parameter is present"
        ):
            self.client.scan(TableName=self.name, Segment=0)

    @differs_locally("its message names other constraints")
    def test_all_violated_constraints_are_reported_together(self):
        with self.assert_invalid(
            "2 validation errors detected: Value '0' at 'limit' failed to satisfy constraint: "
            "Member must have value greater than or equal to 1; Value 'SOME' at 'select' failed "
            "to satisfy constraint: Member must satisfy enum value set: "
            "[SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]"
        ):
            make_client(parameter_validation=False).scan(
                TableName=self.name, Limit=0, Select="SOME"
            )
