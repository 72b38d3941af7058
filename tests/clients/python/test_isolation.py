"""Tests that each access key has a database of its own, as tests that run in parallel need it."""

from concurrent.futures import ThreadPoolExecutor

from support import CONFIG, ENDPOINT, EndpointTest, definitions, key_schema, make_session

KEYS = 50
ITEMS = 20


def use_database(number):
    """Creates a table as the owner of one access key, and returns the items that it reads there."""
    session = make_session(f"isolated-{number}")
    client = session.client("dynamodb", endpoint_url=ENDPOINT, config=CONFIG)
    client.create_table(
        TableName="app",
        KeySchema=key_schema("PK", "SK"),
        AttributeDefinitions=definitions(PK="S", SK="S"),
        BillingMode="PAY_PER_REQUEST",
    )
    for item in range(ITEMS):
        client.put_item(
            TableName="app", Item={"PK": {"S": f"{number}"}, "SK": {"S": f"{item:02}"}}
        )
    found = client.scan(TableName="app")["Items"]
    return [(item["PK"]["S"], item["SK"]["S"]) for item in found]


class Isolation(EndpointTest):
    def test_fifty_access_keys_side_by_side_see_their_own_items(self):
        with ThreadPoolExecutor(max_workers=8) as pool:
            results = list(pool.map(use_database, range(KEYS)))
        for number, found in enumerate(results):
            self.assertEqual(found, [(f"{number}", f"{item:02}") for item in range(ITEMS)])
