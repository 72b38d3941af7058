"""Tests of the errors for invalid requests, in the form of a ClientError."""

from support import TableTest

NOT_FOUND = "Requested resource not found"


class Errors(TableTest):
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

    def test_every_response_has_a_request_id(self):
        metadata = self.client.list_tables()["ResponseMetadata"]
        self.assertRegex(metadata["RequestId"], "^[0-9A-Z]{52}$")
        with self.assert_error("ResourceNotFoundException", NOT_FOUND) as found:
            self.client.get_item(TableName="nowhere", Key=self.typed_key())
        self.assertRegex(found["ResponseMetadata"]["RequestId"], "^[0-9A-Z]{52}$")
