"""Checks that every operation of boto3's models is answered as api/wire/README.md says."""

import pathlib
import re

from botocore.exceptions import ClientError

from support import EndpointTest, make_client

PAGE = pathlib.Path(__file__).resolve().parents[3] / "api" / "wire" / "README.md"


def outcomes():
    """Returns the outcome of each operation in the table of the page."""
    rows = re.findall(r"^\| (\w+) \| ([\w ]+) \|", PAGE.read_text("utf-8"), re.M)
    return {name: outcome for name, outcome in rows if name != "operation"}


class Operations(EndpointTest):
    def clients(self):
        # The requests are checked by the server alone.
        return [
            make_client(service, parameter_validation=False)
            for service in ("dynamodb", "dynamodbstreams")
        ]

    def test_the_page_lists_the_operations_of_the_models(self):
        names = [
            name for client in self.clients() for name in client.meta.service_model.operation_names
        ]
        self.assertEqual(sorted(names), sorted(outcomes()))

    def test_every_error_has_a_message(self):
        known = outcomes()
        for client in self.clients():
            for method, name in client.meta.method_to_api_mapping.items():
                with self.subTest(name):
                    # botocore itself reads RequestItems, and fails if it is absent.
                    batch = name in ("BatchGetItem", "BatchWriteItem")
                    request = {"RequestItems": {}} if batch else {}
                    try:
                        getattr(client, method)(**request)
                        self.assertIn(known[name], ("works", "state only"))
                    except ClientError as error:
                        self.assertTrue(error.response["Error"]["Message"])
                        unknown = error.response["Error"]["Code"] == "UnknownOperationException"
                        self.assertEqual(known[name] == "missing", unknown)
