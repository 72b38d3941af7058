"""Tests of the conditions and paginators of boto3: the pages and segments of Query and Scan."""

import concurrent.futures
from decimal import Decimal

from boto3.dynamodb.conditions import Key

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
