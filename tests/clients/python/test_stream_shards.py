"""Tests that a reader follows the shards of a stream from the parents to their children."""

import collections
import datetime

from support import (
    CONFIG,
    ENDPOINT,
    EndpointTest,
    definitions,
    key_schema,
    make_controlled,
)

LIFETIME = datetime.timedelta(hours=4)
KEYS = [f"ORDER#{n}" for n in range(20)]
VERSIONS = 4


class Reader:
    """A reader of all shards of a stream."""

    def __init__(self, streams, arn):
        self.streams = streams
        self.arn = arn

    def describe(self, **options):
        """Returns all shards, from pages of three."""
        shards = []
        while True:
            page = self.streams.describe_stream(StreamArn=self.arn, Limit=3, **options)
            shards += page["StreamDescription"]["Shards"]
            last = page["StreamDescription"].get("LastEvaluatedShardId")
            if last is None:
                return shards
            options["ExclusiveStartShardId"] = last

    def children(self, shard):
        parent = {"Type": "CHILD_SHARDS", "ShardId": shard}
        return [child["ShardId"] for child in self.describe(ShardFilter=parent)]

    def read(self, shard):
        """Yields the records of a shard, until it ends or a page is empty."""
        iterator = self.streams.get_shard_iterator(
            StreamArn=self.arn, ShardId=shard, ShardIteratorType="TRIM_HORIZON"
        )["ShardIterator"]
        while iterator is not None:
            page = self.streams.get_records(ShardIterator=iterator, Limit=7)
            yield from page["Records"]
            iterator = page.get("NextShardIterator")
            if not page["Records"] and iterator is not None:
                return

    def walk(self):
        """Yields each shard after its parent."""
        (first,) = [shard for shard in self.describe() if "ParentShardId" not in shard]
        waiting = collections.deque([first["ShardId"]])
        while waiting:
            yield waiting[0]
            waiting.extend(self.children(waiting.popleft()))


class StreamShards(EndpointTest):
    def test_a_reader_that_reads_parents_first_gets_the_versions_of_each_item_in_order(self):
        session, database = make_controlled("shards")
        database.simulate(
            {"StreamShards": 4, "ShardLifetimeMilliseconds": int(LIFETIME.total_seconds() * 1000)}
        )
        client = session.client("dynamodb", endpoint_url=ENDPOINT, config=CONFIG)
        table = client.create_table(
            TableName="orders",
            KeySchema=key_schema("PK"),
            AttributeDefinitions=definitions(PK="S"),
            BillingMode="PAY_PER_REQUEST",
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
        )
        for version in range(VERSIONS):
            if version > 0:
                database.advance(LIFETIME)
            for key in KEYS:
                item = {"PK": {"S": key}, "version": {"N": f"{version}"}}
                client.put_item(TableName="orders", Item=item)

        streams = session.client("dynamodbstreams", endpoint_url=ENDPOINT, config=CONFIG)
        reader = Reader(streams, table["TableDescription"]["LatestStreamArn"])
        walked = list(reader.walk())
        self.assertCountEqual([shard["ShardId"] for shard in reader.describe()], walked)
        self.assertEqual(
            [2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0], [len(reader.children(shard)) for shard in walked]
        )
        versions = collections.defaultdict(list)
        for shard in walked:
            for record in reader.read(shard):
                image = record["dynamodb"]["NewImage"]
                versions[image["PK"]["S"]].append(int(image["version"]["N"]))
        self.assertEqual({key: list(range(VERSIONS)) for key in KEYS}, versions)
