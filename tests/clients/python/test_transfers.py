"""Tests of exports, imports and bulk operations, and of the waiters for them."""

import os
import pathlib
import unittest

from support import TableTest, definitions, key_schema

BUCKETS = os.environ.get("DOLMEN_BUCKETS")
QUICK = {"Delay": 1, "MaxAttempts": 20}


@unittest.skipUnless(BUCKETS, "only `dolmen serve` has a directory of buckets")
class Transfers(TableTest):
    def export(self):
        arn = self.client.describe_table(TableName=self.name)["Table"]["TableArn"]
        started = self.client.export_table_to_point_in_time(TableArn=arn, S3Bucket="bucket")
        export = started["ExportDescription"]
        self.assertEqual("IN_PROGRESS", export["ExportStatus"])
        self.client.get_waiter("export_completed").wait(
            ExportArn=export["ExportArn"], WaiterConfig=QUICK
        )
        return self.client.describe_export(ExportArn=export["ExportArn"])["ExportDescription"]

    def test_an_export_is_imported_into_a_new_table(self):
        item = self.put(n=1, tags={"a", "b"})
        manifest = pathlib.PurePosixPath(self.export()["ExportManifest"])
        started = self.client.import_table(
            S3BucketSource={"S3Bucket": "bucket", "S3KeyPrefix": f"{manifest.parent}/data/"},
            InputFormat="DYNAMODB_JSON",
            InputCompressionType="GZIP",
            TableCreationParameters={
                "TableName": "Imported",
                "BillingMode": "PAY_PER_REQUEST",
                "AttributeDefinitions": definitions(PK="S", SK="S"),
                "KeySchema": key_schema("PK", "SK"),
            },
        )
        self.addCleanup(self.client.delete_table, TableName="Imported")
        self.client.get_waiter("import_completed").wait(
            ImportArn=started["ImportTableDescription"]["ImportArn"], WaiterConfig=QUICK
        )
        found = self.dynamodb.Table("Imported").get_item(Key=self.key())["Item"]
        self.assertEqual(item, found)

    def test_a_bulk_operation_puts_items(self):
        line = '{"Item":{"PK":{"S":"bulk"},"SK":{"S":"1"}}}\n'
        (pathlib.Path(BUCKETS) / "bucket" / "bulk.json").write_text(line, "utf-8")
        started = self.client.start_bulk_put_items(
            TableName=self.name,
            InputS3Configuration={
                "S3Bucket": "bucket",
                "S3KeyPrefix": "bulk",
                "InputFormat": "DYNAMODB_JSON",
            },
            OutputS3Configuration={"OutputType": ["ERROR"]},
        )
        self.client.get_waiter("bulk_operation_completed").wait(
            BulkOperationArn=started["BulkOperationDescription"]["BulkOperationArn"],
            WaiterConfig=QUICK,
        )
        key = {"PK": "bulk", "SK": "1"}
        self.assertEqual(key, self.table.get_item(Key=key)["Item"])
