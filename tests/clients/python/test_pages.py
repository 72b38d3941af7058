"""Tests of the order, the pages and the segments of Query and Scan."""

import concurrent.futures
from decimal import Decimal

from boto3.dynamodb.conditions import Attr, Key

from support import TableTest, as_set


class Pages(TableTest):
    def fill(self, count, **attributes):
        """Puts items with the sort keys 000, 001, ..."""
        items = [{**self.key(f"{n:03}"), "n": Decimal(n), **attributes} for n in range(count)]
        with self.table.batch_writer() as batch:
            for item in items:
                batch.put_item(Item=item)
        return items

    def query(self, condition=None, **options):
        whole = Key("PK").eq(self.partition)
        return self.table.query(
            KeyConditionExpression=whole & condition if condition else whole, **options
        )

    def test_every_condition_on_a_sort_key_selects_its_range(self):
        self.fill(12)
        for condition, expected in (
            (Key("SK").eq("004"), ["004"]),
            (Key("SK").lt("002"), ["000", "001"]),
            (Key("SK").lte("002"), ["000", "001", "002"]),
            (Key("SK").gt("010"), ["011"]),
            (Key("SK").gte("010"), ["010", "011"]),
            (Key("SK").between("003", "005"), ["003", "004", "005"]),
            (Key("SK").begins_with("01"), ["010", "011"]),
        ):
            with self.subTest(condition.get_expression()):
                found = self.query(condition)
                self.assertEqual(expected, [item["SK"] for item in found["Items"]])
                self.assertEqual((len(expected),) * 2, (found["Count"], found["ScannedCount"]))
                self.assertNotIn("LastEvaluatedKey", found)

    def test_sort_keys_are_ordered_by_their_bytes(self):
        keys = ["A", "B", "a", "aa", "¿", "\uffee", "😀"]
        for sort in reversed(keys):
            self.put(sort)
        self.assertEqual(keys, [item["SK"] for item in self.query()["Items"]])
        descending = self.query(ScanIndexForward=False)["Items"]
        self.assertEqual(keys[::-1], [item["SK"] for item in descending])

    def test_a_full_page_has_the_key_to_continue_from(self):
        items = self.fill(6)
        first = self.query(Limit=4)
        self.assertEqual(items[:4], first["Items"])
        self.assertEqual(self.key("003"), first["LastEvaluatedKey"])
        second = self.query(Limit=4, ExclusiveStartKey=first["LastEvaluatedKey"])
        self.assertEqual(items[4:], second["Items"])
        self.assertNotIn("LastEvaluatedKey", second)

    def test_a_limit_counts_filtered_items(self):
        self.fill(6)
        page = self.query(Limit=3, FilterExpression=Attr("n").gte(2))
        self.assertEqual([2], [item["n"] for item in page["Items"]])
        self.assertEqual((1, 3), (page["Count"], page["ScannedCount"]))
        self.assertEqual(self.key("002"), page["LastEvaluatedKey"])

    def test_a_page_is_a_megabyte(self):
        items = self.fill(8, filler="x" * 300_000)
        pages = list(
            self.client.get_paginator("query").paginate(
                TableName=self.name,
                KeyConditionExpression="PK = :pk",
                ExpressionAttributeValues={":pk": {"S": self.partition}},
                ProjectionExpression="SK",
            )
        )
        self.assertEqual([4, 4], [page["Count"] for page in pages[:2]])
        found = [item["SK"]["S"] for page in pages for item in page["Items"]]
        self.assertEqual([item["SK"] for item in items], found)

    def test_a_count_has_no_items(self):
        self.fill(5)
        page = self.query(Key("SK").gte("001"), Select="COUNT", FilterExpression=Attr("n").ne(2))
        self.assertEqual((3, 4), (page["Count"], page["ScannedCount"]))
        self.assertNotIn("Items", page)

    def test_a_query_returns_the_projected_attributes(self):
        self.fill(2, extra="x")
        page = self.query(ProjectionExpression="#n, SK", ExpressionAttributeNames={"#n": "n"})
        self.assertEqual([{"SK": "000", "n": 0}, {"SK": "001", "n": 1}], page["Items"])

    def test_an_index_has_the_items_with_its_keys(self):
        listed = [self.put(f"{n}", GSI1PK=self.partition, GSI1SK=f"{9 - n}") for n in range(3)]
        self.put("outside", GSI1PK=self.partition)
        found = self.table.query(
            IndexName="GSI1", KeyConditionExpression=Key("GSI1PK").eq(self.partition)
        )
        self.assertEqual(listed[::-1], found["Items"])

    def test_a_page_of_an_index_ends_with_the_keys_of_table_and_index(self):
        for n in range(3):
            self.put(f"{n}", GSI1PK=self.partition, GSI1SK=f"{n}")
        request = {
            "IndexName": "GSI1",
            "KeyConditionExpression": Key("GSI1PK").eq(self.partition),
            "Limit": 2,
        }
        first = self.table.query(**request)
        self.assertEqual(
            {**self.key("1"), "GSI1PK": self.partition, "GSI1SK": "1"}, first["LastEvaluatedKey"]
        )
        rest = self.table.query(**request, ExclusiveStartKey=first["LastEvaluatedKey"])
        self.assertEqual(["2"], [item["SK"] for item in rest["Items"]])

    def test_a_local_index_has_its_own_order_and_projects_only_keys(self):
        for sort, rank in (("a", 10), ("b", Decimal("9.5")), ("c", -3)):
            self.put(sort, rank=rank, other="x")
        request = {
            "IndexName": "Rank",
            "KeyConditionExpression": Key("PK").eq(self.partition) & Key("rank").gt(-10),
            "ConsistentRead": True,
        }
        self.assertEqual(
            [
                {**self.key(sort), "rank": rank}
                for sort, rank in (("c", -3), ("b", Decimal("9.5")), ("a", 10))
            ],
            self.table.query(**request)["Items"],
        )
        whole = self.table.query(**request, Select="ALL_ATTRIBUTES")["Items"]
        self.assertEqual(["x"] * 3, [item["other"] for item in whole])

    def test_a_paginator_reads_all_pages(self):
        items = self.fill(7)
        paginator = self.client.get_paginator("query")
        request = {
            "TableName": self.name,
            "KeyConditionExpression": "PK = :pk",
            "ExpressionAttributeValues": {":pk": {"S": self.partition}},
        }
        pages = list(paginator.paginate(**request, PaginationConfig={"PageSize": 3}))
        self.assertEqual([3, 3, 1], [page["Count"] for page in pages])
        found = paginator.paginate(**request).build_full_result()
        self.assertEqual([item["SK"] for item in items], [i["SK"]["S"] for i in found["Items"]])
        self.assertEqual((7, 7), (found["Count"], found["ScannedCount"]))

    def test_a_paginator_stops_within_a_page_and_resumes(self):
        self.fill(7)
        paginator = self.client.get_paginator("query")
        request = {
            "TableName": self.name,
            "KeyConditionExpression": "PK = :pk",
            "ExpressionAttributeValues": {":pk": {"S": self.partition}},
        }
        config = {"PageSize": 3, "MaxItems": 4}
        first = paginator.paginate(**request, PaginationConfig=config).build_full_result()
        self.assertEqual(["000", "001", "002", "003"], [i["SK"]["S"] for i in first["Items"]])
        config = {"PageSize": 3, "StartingToken": first["NextToken"]}
        rest = paginator.paginate(**request, PaginationConfig=config).build_full_result()
        self.assertEqual(["004", "005", "006"], [i["SK"]["S"] for i in rest["Items"]])


class Scans(TableTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.items = [
            {"PK": f"partition {n % 40}", "SK": f"{n}", "n": Decimal(n), "text": "é" * (n % 10)}
            for n in range(200)
        ]
        with cls.table.batch_writer() as batch:
            for item in cls.items:
                batch.put_item(Item=item)
        cls.items = as_set(cls.items)

    def test_a_scan_returns_every_item(self):
        found = self.table.scan(ConsistentRead=True)
        self.assertEqual((200, 200), (found["Count"], found["ScannedCount"]))
        self.assertEqual(self.items, as_set(found["Items"]))

    def test_a_scan_returns_each_partition_together_and_in_order(self):
        seen = {}
        for item in self.table.scan()["Items"]:
            seen.setdefault(item["PK"], []).append(item["SK"])
        self.assertEqual(40, len(seen))
        for sorts in seen.values():
            self.assertEqual(sorted(sorts), sorts)
        partitions = [item["PK"] for item in self.table.scan()["Items"]]
        changes = sum(a != b for a, b in zip(partitions, partitions[1:]))
        self.assertEqual(39, changes)

    def test_pages_of_a_scan_do_not_overlap(self):
        pages = list(
            self.dynamodb.meta.client.get_paginator("scan").paginate(
                TableName=self.name, PaginationConfig={"PageSize": 30}
            )
        )
        self.assertEqual([30] * 6 + [20], [page["Count"] for page in pages])
        self.assertEqual(self.items, as_set(item for page in pages for item in page["Items"]))

    def test_the_segments_together_have_every_item_once(self):
        def segment(n):
            pages = self.dynamodb.meta.client.get_paginator("scan").paginate(
                TableName=self.name,
                Segment=n,
                TotalSegments=4,
                PaginationConfig={"PageSize": 17},
            )
            return [item for page in pages for item in page["Items"]]

        with concurrent.futures.ThreadPoolExecutor(4) as threads:
            segments = list(threads.map(segment, range(4)))
        self.assertEqual(self.items, as_set(item for items in segments for item in items))
        partitions = [{item["PK"] for item in items} for items in segments]
        self.assertEqual(40, sum(map(len, partitions)))

    def test_a_scan_filters_and_projects(self):
        found = self.table.scan(
            FilterExpression=Attr("n").between(10, 13) & Attr("text").size().gte(1),
            ProjectionExpression="#n, PK",
            ExpressionAttributeNames={"#n": "n"},
        )
        expected = [{"PK": f"partition {n}", "n": n} for n in (11, 12, 13)]
        self.assertEqual(expected, sorted(found["Items"], key=lambda item: item["n"]))
        self.assertEqual((3, 200), (found["Count"], found["ScannedCount"]))

    def test_a_scan_of_a_sparse_index_returns_only_its_items(self):
        self.assertEqual([], self.table.scan(IndexName="GSI1")["Items"])
        self.assertEqual(200, self.table.scan(Select="COUNT")["Count"])
