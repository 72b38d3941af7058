"""Tests of settings that Dolmen stores and returns, and of the waiters for them."""

import json

from support import EndpointTest, definitions, index, key_schema

NAME = "Settings"
QUICK = {"Delay": 1, "MaxAttempts": 20}
KINESIS = "arn:aws:kinesis:us-east-1:000000000000:stream/changes"
POLICY = {"Version": "2012-10-17", "Statement": [{"Sid": "1", "Effect": "Allow"}]}


class Settings(EndpointTest):
    def setUp(self):
        table = self.client.create_table(
            TableName=NAME,
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=definitions(PK="S", kind="S"),
            KeySchema=key_schema("PK"),
            GlobalSecondaryIndexes=[index("ByKind", "kind")],
        )
        self.arn = table["TableDescription"]["TableArn"]
        self.addCleanup(self.client.delete_table, TableName=NAME)

    def test_a_kinesis_destination_becomes_active(self):
        enabled = self.client.enable_kinesis_streaming_destination(
            TableName=NAME, StreamArn=KINESIS
        )
        self.assertEqual("ENABLING", enabled["DestinationStatus"])
        self.client.get_waiter("kinesis_streaming_destination_active").wait(
            TableName=NAME, WaiterConfig=QUICK
        )
        self.client.disable_kinesis_streaming_destination(TableName=NAME, StreamArn=KINESIS)
        described = self.client.describe_kinesis_streaming_destination(TableName=NAME)
        self.assertEqual(
            [{"StreamArn": KINESIS, "DestinationStatus": "DISABLED"}],
            described["KinesisDataStreamDestinations"],
        )

    def test_contributor_insights_become_enabled(self):
        for of_index in ({}, {"IndexName": "ByKind"}):
            self.client.update_contributor_insights(
                TableName=NAME, ContributorInsightsAction="ENABLE", **of_index
            )
            self.client.get_waiter("contributor_insights_enabled").wait(
                TableName=NAME, WaiterConfig=QUICK, **of_index
            )
        listed = self.client.list_contributor_insights(TableName=NAME)
        self.assertEqual(
            [None, "ByKind"],
            [summary.get("IndexName") for summary in listed["ContributorInsightsSummaries"]],
        )

    def test_a_resource_policy_is_stored(self):
        revision = self.client.put_resource_policy(ResourceArn=self.arn, Policy=json.dumps(POLICY))
        stored = self.client.get_resource_policy(ResourceArn=self.arn)
        self.assertEqual(POLICY, json.loads(stored["Policy"]))
        self.assertEqual(revision["RevisionId"], stored["RevisionId"])
        self.client.delete_resource_policy(ResourceArn=self.arn)
        with self.assertRaises(self.client.exceptions.PolicyNotFoundException):
            self.client.get_resource_policy(ResourceArn=self.arn)

    def test_a_replica_is_created_and_deleted(self):
        self.client.update_table(
            TableName=NAME, ReplicaUpdates=[{"Create": {"RegionName": "eu-west-1"}}]
        )
        table = self.client.describe_table(TableName=NAME)["Table"]
        self.assertEqual(
            [("eu-west-1", "ACTIVE")],
            [(replica["RegionName"], replica["ReplicaStatus"]) for replica in table["Replicas"]],
        )
        scaling = self.client.describe_table_replica_auto_scaling(TableName=NAME)
        self.assertEqual(2, len(scaling["TableAutoScalingDescription"]["Replicas"]))
        self.client.update_table(
            TableName=NAME, ReplicaUpdates=[{"Delete": {"RegionName": "eu-west-1"}}]
        )
        self.assertNotIn("Replicas", self.client.describe_table(TableName=NAME)["Table"])

    def test_the_account_has_no_global_tables_of_2017(self):
        self.assertEqual([], self.client.list_global_tables()["GlobalTables"])
        with self.assertRaises(self.client.exceptions.GlobalTableNotFoundException):
            self.client.describe_global_table(GlobalTableName=NAME)
