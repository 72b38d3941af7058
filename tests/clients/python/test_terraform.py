"""The requests by which Terraform's provider manages a table, in the provider's order."""

from support import EndpointTest, definitions, index, key_schema

NAME = "Terraform"
NO_STREAM = {"StreamEnabled": False}
OLD_IMAGES = {"StreamEnabled": True, "StreamViewType": "OLD_IMAGE"}
TAGS = [{"Key": "stage", "Value": "test"}]


def all_indexes_are_active(table):
    return all(found["IndexStatus"] == "ACTIVE" for found in table["GlobalSecondaryIndexes"])


class Terraform(EndpointTest):
    def test_a_table_is_created_read_and_destroyed(self):
        self.create()
        self.read()
        self.change()
        self.destroy()

    def create(self):
        self.client.create_table(
            TableName=NAME,
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=definitions(PK="S", SK="S", kind="S", day="S"),
            KeySchema=key_schema("PK", "SK"),
            GlobalSecondaryIndexes=[
                index("ByKind", "kind", "SK"),
                index("ByDay", "day", "SK", projection="KEYS_ONLY"),
            ],
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
            TableClass="STANDARD_INFREQUENT_ACCESS",
            SSESpecification={"Enabled": True},
            OnDemandThroughput={"MaxReadRequestUnits": 9},
            DeletionProtectionEnabled=False,
            Tags=TAGS,
        )
        # The provider waits until the table was active twice in a row.
        for _ in range(2):
            self.await_table(NAME, lambda table: table["TableStatus"] == "ACTIVE")
        self.await_table(NAME, lambda table: table["WarmThroughput"]["Status"] == "ACTIVE")
        self.await_table(NAME, all_indexes_are_active)
        self.client.update_time_to_live(
            TableName=NAME,
            TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires"},
        )
        for _ in range(10_000):
            if self.time_to_live()["TimeToLiveStatus"] == "ENABLED":
                break
        self.client.update_continuous_backups(
            TableName=NAME,
            PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True},
        )

    def time_to_live(self):
        return self.client.describe_time_to_live(TableName=NAME)["TimeToLiveDescription"]

    def read(self):
        table = self.client.describe_table(TableName=NAME)["Table"]
        # On demand, a table and each of its indexes have these values from the beginning.
        warm = {"ReadUnitsPerSecond": 12000, "WriteUnitsPerSecond": 4000, "Status": "ACTIVE"}
        self.assertEqual(warm, table["WarmThroughput"])
        self.assertEqual(warm, table["GlobalSecondaryIndexes"][0]["WarmThroughput"])
        self.assertEqual("PAY_PER_REQUEST", table["BillingModeSummary"]["BillingMode"])
        self.assertEqual("STANDARD_INFREQUENT_ACCESS", table["TableClassSummary"]["TableClass"])
        self.assertEqual("KEYS_ONLY", table["StreamSpecification"]["StreamViewType"])
        self.assertEqual("ENABLED", table["SSEDescription"]["Status"])
        self.assertEqual({"MaxReadRequestUnits": 9}, table["OnDemandThroughput"])
        self.assertEqual(
            {("ByKind", "ALL"), ("ByDay", "KEYS_ONLY")},
            {
                (found["IndexName"], found["Projection"]["ProjectionType"])
                for found in table["GlobalSecondaryIndexes"]
            },
        )
        self.assertIs(False, table["DeletionProtectionEnabled"])
        backups = self.client.describe_continuous_backups(TableName=NAME)[
            "ContinuousBackupsDescription"
        ]
        self.assertEqual("ENABLED", backups["ContinuousBackupsStatus"])
        recovery = backups["PointInTimeRecoveryDescription"]
        self.assertEqual("ENABLED", recovery["PointInTimeRecoveryStatus"])
        self.assertEqual(35, recovery["RecoveryPeriodInDays"])
        self.assertEqual(
            {"TimeToLiveStatus": "ENABLED", "AttributeName": "expires"}, self.time_to_live()
        )
        tags = self.client.list_tags_of_resource(ResourceArn=table["TableArn"])
        self.assertEqual(TAGS, tags["Tags"])

    def change(self):
        """Changes the table in the provider's order, with one request for each concern."""
        for request in (
            {"GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "ByDay"}}]},
            {"TableClass": "STANDARD"},
            {"OnDemandThroughput": {"MaxReadRequestUnits": -1}},
            # The provider disables a stream before it enables one of another view type.
            {"StreamSpecification": NO_STREAM},
            {"StreamSpecification": OLD_IMAGES},
            {"SSESpecification": {"Enabled": False}},
            {
                "ReplicaUpdates": [
                    {"Create": {"RegionName": region}} for region in ("eu-west-1", "eu-west-2")
                ]
            },
        ):
            self.client.update_table(TableName=NAME, **request)
            self.await_table(NAME, lambda table: table["TableStatus"] == "ACTIVE")
        table = self.await_table(NAME, all_indexes_are_active)
        self.assertEqual(["ByKind"], [i["IndexName"] for i in table["GlobalSecondaryIndexes"]])
        self.assertEqual("STANDARD", table["TableClassSummary"]["TableClass"])
        self.assertEqual(OLD_IMAGES, table["StreamSpecification"])
        self.assertEqual(
            [("eu-west-1", "ACTIVE"), ("eu-west-2", "ACTIVE")],
            [(replica["RegionName"], replica["ReplicaStatus"]) for replica in table["Replicas"]],
        )
        for absent in ("SSEDescription", "OnDemandThroughput"):
            self.assertNotIn(absent, table)
        self.client.update_table(
            TableName=NAME,
            ReplicaUpdates=[
                {"Delete": {"RegionName": region}} for region in ("eu-west-1", "eu-west-2")
            ],
        )

    def destroy(self):
        self.client.delete_table(TableName=NAME)
        with self.assertRaises(self.client.exceptions.ResourceNotFoundException) as caught:
            self.await_table(NAME, lambda _: False)
        # The provider looks for this text.
        message = caught.exception.response["Error"]["Message"]
        self.assertIn("Requested resource not found: Table: ", message)
