"""Tests of the stream of a table."""

import datetime
from decimal import Decimal

from boto3.dynamodb.types import TypeDeserializer

from support import TableTest, make_client

DECODE = TypeDeserializer().deserialize


class Streams(TableTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.streams = make_client("dynamodbstreams")
        cls.arn = cls.table.latest_stream_arn

    def shards(self):
        return self.streams.describe_stream(StreamArn=self.arn)["StreamDescription"]["Shards"]

    def iterator(self, kind, shard=None, **options):
        return self.streams.get_shard_iterator(
            StreamArn=self.arn,
            ShardId=(shard or self.shards()[-1])["ShardId"],
            ShardIteratorType=kind,
            **options,
        )["ShardIterator"]

    def read(self, iterator, count):
        """Returns the next records of this test, and the iterator for the records after them."""
        records = []
        for _ in range(1000):
            page = self.streams.get_records(ShardIterator=iterator, Limit=3)
            iterator = page["NextShardIterator"]
            records += [
                record
                for record in page["Records"]
                if record["dynamodb"]["Keys"]["PK"] == {"S": self.partition}
            ]
            if len(records) >= count:
                break
        return records, iterator

    def image(self, record, which):
        found = record["dynamodb"].get(which)
        return found and DECODE({"M": found})

    def test_a_stream_is_found_and_described(self):
        (stream,) = self.streams.list_streams(TableName=self.name)["Streams"]
        self.assertEqual(
            {
                "StreamArn": self.arn,
                "TableName": self.name,
                "StreamLabel": self.table.latest_stream_label,
            },
            stream,
        )
        description = self.streams.describe_stream(StreamArn=self.arn)["StreamDescription"]
        self.assertEqual("ENABLED", description["StreamStatus"])
        self.assertEqual("NEW_AND_OLD_IMAGES", description["StreamViewType"])
        self.assertEqual(self.name, description["TableName"])
        self.assertEqual(self.table.key_schema, description["KeySchema"])
        self.assertIsInstance(description["CreationRequestDateTime"], datetime.datetime)
        (shard,) = description["Shards"]
        self.assertNotIn("EndingSequenceNumber", shard["SequenceNumberRange"])

    def test_records_are_in_the_order_of_the_writes(self):
        first = self.put(n=1)
        second = self.put(n=2)
        self.table.put_item(Item=second)  # changes nothing
        self.table.delete_item(Key=self.key())
        records, _ = self.read(self.iterator("TRIM_HORIZON"), 3)
        self.assertEqual(["INSERT", "MODIFY", "REMOVE"], [r["eventName"] for r in records])
        self.assertEqual(
            [(None, first), (first, second), (second, None)],
            [(self.image(r, "OldImage"), self.image(r, "NewImage")) for r in records],
        )
        numbers = [int(r["dynamodb"]["SequenceNumber"]) for r in records]
        self.assertEqual(sorted(set(numbers)), numbers)

    def test_a_record_has_its_key_images_size_and_time(self):
        self.put(text="é", n=Decimal("1.5"))
        (record,), _ = self.read(self.iterator("TRIM_HORIZON"), 1)
        self.assertEqual("aws:dynamodb", record["eventSource"])
        self.assertEqual("1.1", record["eventVersion"])
        self.assertTrue(record["eventID"])
        self.assertNotIn("userIdentity", record)
        change = record["dynamodb"]
        self.assertEqual("NEW_AND_OLD_IMAGES", change["StreamViewType"])
        self.assertEqual(self.typed_key(), change["Keys"])
        self.assertEqual(
            {**self.typed_key(), "text": {"S": "é"}, "n": {"N": "1.5"}}, change["NewImage"]
        )
        keys = len("PK") + len(self.partition) + len("SK") + len("1")
        self.assertEqual(2 * keys + len("text") + 2 + len("n") + 3, change["SizeBytes"])
        self.assertIsInstance(change["ApproximateCreationDateTime"], datetime.datetime)
