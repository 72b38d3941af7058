"""Tests of the operations on tables, of tags and of time to live."""

import datetime

from support import EndpointTest, definitions, index, key_schema

QUICK = {"Delay": 1, "MaxAttempts": 20}


class Tables(EndpointTest):
    def create(self, name, **options):
        request = {
            "TableName": name,
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": definitions(PK="S", SK="S"),
            "KeySchema": key_schema("PK", "SK"),
            **options,
        }
        description = self.client.create_table(**request)["TableDescription"]
        self.addCleanup(self.drop, name)
        self.client.get_waiter("table_exists").wait(TableName=name, WaiterConfig=QUICK)
        return description

    def drop(self, name):
        try:
            self.client.delete_table(TableName=name)
        except self.client.exceptions.ResourceNotFoundException:
            pass

    def describe(self, name):
        return self.client.describe_table(TableName=name)["Table"]

    def test_a_table_is_described(self):
        self.create(
            "Described",
            AttributeDefinitions=definitions(PK="S", SK="N", rank="B"),
            LocalSecondaryIndexes=[index("Local", "PK", "rank", projection="KEYS_ONLY")],
            GlobalSecondaryIndexes=[
                {
                    "IndexName": "Global",
                    "KeySchema": key_schema("rank"),
                    "Projection": {
                        "ProjectionType": "INCLUDE",
                        "NonKeyAttributes": ["a", "b"],
                    },
                }
            ],
        )
        table = self.describe("Described")
        self.assertEqual("Described", table["TableName"])
        self.assertEqual("ACTIVE", table["TableStatus"])
        self.assertEqual((0, 0), (table["ItemCount"], table["TableSizeBytes"]))
        self.assertEqual(key_schema("PK", "SK"), table["KeySchema"])
        self.assertCountEqual(definitions(PK="S", SK="N", rank="B"), table["AttributeDefinitions"])
        self.assertEqual("PAY_PER_REQUEST", table["BillingModeSummary"]["BillingMode"])
        self.assertIsInstance(table["CreationDateTime"], datetime.datetime)
        self.assertRegex(table["TableArn"], r"^arn:aws:dynamodb:[a-z0-9-]+:\d{12}:table/Described$")
        (local,) = table["LocalSecondaryIndexes"]
        self.assertEqual({"ProjectionType": "KEYS_ONLY"}, local["Projection"])
        self.assertEqual(key_schema("PK", "rank"), local["KeySchema"])
        (of_all,) = table["GlobalSecondaryIndexes"]
        self.assertEqual("ACTIVE", of_all["IndexStatus"])
        self.assertEqual("INCLUDE", of_all["Projection"]["ProjectionType"])
        self.assertCountEqual(["a", "b"], of_all["Projection"]["NonKeyAttributes"])
        self.assertEqual(table["TableArn"] + "/index/Global", of_all["IndexArn"])

    def test_a_table_resource_loads_its_description(self):
        self.create("Resource")
        table = self.dynamodb.Table("Resource")
        self.assertEqual("ACTIVE", table.table_status)
        self.assertEqual(key_schema("PK", "SK"), table.key_schema)
        self.assertEqual(0, table.item_count)

    def test_a_deleted_table_is_not_found(self):
        self.create("Deleted")
        status = self.client.delete_table(TableName="Deleted")["TableDescription"]["TableStatus"]
        self.assertIn(status, ("DELETING", "ACTIVE"))
        self.client.get_waiter("table_not_exists").wait(TableName="Deleted", WaiterConfig=QUICK)
        self.assertNotIn("Deleted", self.client.list_tables()["TableNames"])
        with self.assertRaises(self.client.exceptions.ResourceNotFoundException):
            self.describe("Deleted")

    def test_tables_are_listed_in_pages(self):
        names = [f"Listed-{n}" for n in range(5)]
        for name in reversed(names):
            self.create(name)
        pages = self.client.get_paginator("list_tables").paginate(PaginationConfig={"PageSize": 2})
        listed = [name for page in pages for name in page["TableNames"]]
        self.assertEqual(sorted(listed), listed)
        self.assertEqual(names, [name for name in listed if name.startswith("Listed-")])
        resources = self.dynamodb.tables.filter(ExclusiveStartTableName="Listed-2")
        after = [table.name for table in resources if table.name.startswith("Listed-")]
        self.assertEqual(["Listed-3", "Listed-4"], after)

    def test_an_index_is_created_backfilled_and_deleted(self):
        self.create("Indexed")
        table = self.dynamodb.Table("Indexed")
        with table.batch_writer() as batch:
            for n in range(30):
                batch.put_item(Item={"PK": "p", "SK": f"{n:02}", "kind": f"k{n % 2}"})
        table.update(
            AttributeDefinitions=definitions(PK="S", SK="S", kind="S"),
            GlobalSecondaryIndexUpdates=[{"Create": index("ByKind", "kind", "SK")}],
        )
        self.wait_for_index("Indexed", ["ByKind"])
        found = table.query(
            IndexName="ByKind",
            KeyConditionExpression="kind = :k",
            ExpressionAttributeValues={":k": "k1"},
        )
        self.assertEqual([f"{n:02}" for n in range(1, 30, 2)], [i["SK"] for i in found["Items"]])
        table.update(GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "ByKind"}}])
        self.wait_for_index("Indexed", [])

    def wait_for_index(self, name, indexes):
        """Waits until the table has exactly these indexes, all active."""

        def is_ready(table):
            found = table.get("GlobalSecondaryIndexes", [])
            statuses = {table["TableStatus"], *(entry["IndexStatus"] for entry in found)}
            return statuses == {"ACTIVE"} and [entry["IndexName"] for entry in found] == indexes

        self.await_table(name, is_ready)

    def wait_for_time_to_live(self, name):
        """Waits until the status of time to live is not ENABLING, and returns the description."""
        for _ in range(10_000):
            found = self.client.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
            if found["TimeToLiveStatus"] != "ENABLING":
                return found
        self.fail(found)

    def test_time_to_live_is_enabled_and_disabled(self):
        self.create("Expiring")
        specification = {"Enabled": True, "AttributeName": "expires"}
        answer = self.client.update_time_to_live(
            TableName="Expiring", TimeToLiveSpecification=specification
        )
        self.assertEqual(specification, answer["TimeToLiveSpecification"])
        self.assertEqual(
            {"TimeToLiveStatus": "ENABLED", "AttributeName": "expires"},
            self.wait_for_time_to_live("Expiring"),
        )
        with self.assert_invalid("TimeToLive is already enabled"):
            self.client.update_time_to_live(
                TableName="Expiring", TimeToLiveSpecification=specification
            )

    def test_tags_are_added_listed_and_removed(self):
        self.create("Tagged", Tags=[{"Key": "made", "Value": "first"}])
        arn = self.describe("Tagged")["TableArn"]
        self.client.tag_resource(
            ResourceArn=arn,
            Tags=[{"Key": "team", "Value": "storage"}, {"Key": "stage", "Value": ""}],
        )
        self.assertEqual({"made": "first", "team": "storage", "stage": ""}, self.tags(arn))
        self.client.untag_resource(ResourceArn=arn, TagKeys=["team", "absent"])
        self.assertEqual({"made": "first", "stage": ""}, self.tags(arn))

    def tags(self, arn):
        pages = self.client.get_paginator("list_tags_of_resource").paginate(ResourceArn=arn)
        return {tag["Key"]: tag["Value"] for page in pages for tag in page["Tags"]}

    def test_a_restored_table_becomes_active(self):
        self.create("Original")
        item = {"PK": {"S": "p"}, "SK": {"S": "s"}}
        self.client.put_item(TableName="Original", Item=item)
        backup = self.client.create_backup(TableName="Original", BackupName="backup")
        arn = backup["BackupDetails"]["BackupArn"]
        self.addCleanup(self.client.delete_backup, BackupArn=arn)
        restored = self.client.restore_table_from_backup(
            TargetTableName="Restored", BackupArn=arn
        )["TableDescription"]
        self.addCleanup(self.drop, "Restored")
        self.assertEqual("CREATING", restored["TableStatus"])
        self.assertTrue(restored["RestoreSummary"]["RestoreInProgress"])
        self.client.get_waiter("table_exists").wait(TableName="Restored", WaiterConfig=QUICK)
        self.assertNotIn("RestoreSummary", self.describe("Restored"))
        self.assertEqual([item], self.client.scan(TableName="Restored")["Items"])

    def test_limits_are_described(self):
        limits = self.client.describe_limits()
        self.assertEqual(
            {
                "AccountMaxReadCapacityUnits": 80000,
                "AccountMaxWriteCapacityUnits": 80000,
                "TableMaxReadCapacityUnits": 40000,
                "TableMaxWriteCapacityUnits": 40000,
            },
            {name: limits[name] for name in limits if name != "ResponseMetadata"},
        )
