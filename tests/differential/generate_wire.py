"""Random cases over the wire: the kinds of generate_cases, and kinds that only HTTP allows."""

import copy
import random

import generate_cases
import generate_expressions as expressions
import generate_legacy as legacy
import generate_paths as paths
import generate_shapes as shapes
import generate_values as values

STILL = "still"
# Segments of a scan that contain all items or none. Each implementation distributes the items over
# segments in its own way, so the answers for any other segment would differ.
SEGMENTS = [
    {"Segment": 0},
    {"TotalSegments": 1},
    {"Segment": 0, "TotalSegments": 1},
    {"Segment": 1, "TotalSegments": 1},
    {"Segment": 3, "TotalSegments": 3},
]


# A table that no case changes, for scans.
STILL_TABLE = {
    "TableName": STILL,
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
}


def still_items():
    rng = random.Random(STILL)
    items = [{**values.attributes(rng), "pk": {"S": f"item {n}"}} for n in range(20)]
    return [item for item in items if "+" not in str(item)]  # dynalite rejects a plus sign


class WireCase(generate_cases.Case):
    """A generator of cases of any kind, including the kinds that run only over the wire."""

    KINDS = (
        generate_cases.Case.KINDS
        + ["legacy"] * 10
        + ["malformed"] * 8
        + ["constraint"] * 5
        + ["batch"] * 3
        + ["scan"] * 3
        + ["table"] * 3
    )

    # ---- Legacy parameters ----

    def make_legacy(self):
        key, item = self.stored_item(0.85)
        for _ in range(self.rng.randint(1, 3)):
            operation = self.rng.choice(
                ["PutItem", "DeleteItem", "UpdateItem", "UpdateItem", "Query", "Query", "GetItem"]
            )
            request = getattr(self, f"legacy_{operation}")(key, item)
            if self.rng.random() < 0.05:
                legacy.mix(self.rng, request)
            self.add(operation, request)
        self.get(key)

    def expected(self, request, item):
        expected = legacy.named(self.rng, item, legacy.expectation)
        legacy.combine(self.rng, request, "Expected", expected)
        return request

    def legacy_PutItem(self, key, item):
        return self.expected({"Item": {**item.attributes, **key}}, item)

    def legacy_DeleteItem(self, key, item):
        request = self.expected({"Key": key}, item)
        self.return_values(request, ["NONE", "ALL_OLD"])
        return request

    def legacy_UpdateItem(self, key, item):
        rng = self.rng
        request = {"Key": key, "AttributeUpdates": legacy.named(rng, item, legacy.update)}
        if rng.random() < 0.03:
            request["AttributeUpdates"][rng.choice(list(key))] = {"Value": {"S": "a"}}
        if rng.random() < 0.4:
            self.expected(request, item)
        self.return_values(
            request, ["NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW", "UPDATED_NEW"]
        )
        return request

    def legacy_GetItem(self, key, item):
        return {"Key": key, "AttributesToGet": legacy.attributes_to_get(self.rng, item)}

    def legacy_Query(self, key, item):
        rng = self.rng
        sorts = [key[name] for name, _ in self.keys[1:]]
        if sorts:
            sorts += rng.sample(generate_cases.SORT_VALUES[self.keys[1][1]], 3)
        conditions = legacy.key_conditions(rng, self.keys, self.partition(), sorts)
        request = {"KeyConditions": conditions}
        if rng.random() < 0.6:
            filters = legacy.named(rng, item, legacy.condition)
            legacy.combine(rng, request, "QueryFilter", filters)
        if rng.random() < 0.05:
            request["ExclusiveStartKey"] = {**key, rng.choice(list(key)): legacy.bad_value(rng)}
        if rng.random() < 0.3:
            request["AttributesToGet"] = legacy.attributes_to_get(rng, item)
        if rng.random() < 0.1:
            request["Select"] = rng.choice(["COUNT", "ALL_ATTRIBUTES", "SPECIFIC_ATTRIBUTES"])
        return request

    # ---- Requests that violate the API's model ----

    def make_malformed(self):
        rng = self.rng
        kinds = ["condition", "update", "projection", "query", "transaction", "item"]
        getattr(self, f"make_{rng.choice(kinds + ['legacy', 'legacy', 'batch'])}")()
        self.requests = copy.deepcopy(self.requests)
        for _, request in self.requests[1:] or self.requests:
            if rng.random() < 0.6:
                shapes.deform(rng, request)

    def make_constraint(self):
        rng = self.rng
        for _ in range(3):
            operation = rng.choice(list(shapes.MEMBERS))
            request = self.plain(operation)
            shapes.violate(rng, operation, request)
            self.requests.append((operation, request))

    def plain(self, operation):
        """Returns a minimal valid request of the operation."""
        key = self.key()
        request = {"TableName": self.table}
        if operation == "PutItem":
            request["Item"] = key
        elif operation in ("GetItem", "DeleteItem", "UpdateItem"):
            request["Key"] = key
        elif operation == "Query":
            request["KeyConditions"] = {
                self.keys[0][0]: {
                    "ComparisonOperator": "EQ",
                    "AttributeValueList": [self.partition()],
                }
            }
        elif operation == "Scan":
            request["TableName"] = STILL
        elif operation == "BatchGetItem":
            request = {"RequestItems": {self.table: {"Keys": [key]}}}
        elif operation == "BatchWriteItem":
            request = {"RequestItems": {self.table: [{"PutRequest": {"Item": key}}]}}
        elif operation == "TransactGetItems":
            request = {"TransactItems": [{"Get": {"TableName": self.table, "Key": key}}]}
        elif operation == "TransactWriteItems":
            request = {"TransactItems": [{"Delete": {"TableName": self.table, "Key": key}}]}
        return request

    # ---- More operations ----

    def make_batch(self):
        rng = self.rng
        keys = [self.key(suffix=str(suffix)) for suffix in range(rng.randint(1, 6))]
        writes = []
        for key in keys:
            item = {**values.attributes(rng, 3), **key}
            writes.append(
                {"PutRequest": {"Item": item}}
                if rng.random() < 0.8
                else {"DeleteRequest": {"Key": key}}
            )
        if rng.random() < 0.08:
            writes.append(copy.deepcopy(rng.choice(writes)))
        if rng.random() < 0.08:
            self.spoil_item(rng.choice(keys), {})
        self.requests.append(("BatchWriteItem", {"RequestItems": {self.table: writes}}))
        wanted = rng.sample(keys, rng.randint(1, len(keys))) + [self.key(suffix="absent")]
        if rng.random() < 0.08:
            wanted.append(wanted[0])
        entry = {"Keys": wanted}
        holders = paths.Placeholders(rng)
        if rng.random() < 0.4:
            item = paths.Item(values.attributes(rng))
            entry["ProjectionExpression"] = expressions.projection(rng, item, holders)
            entry = self.spoil(holders.add_to(entry))
        self.requests.append(("BatchGetItem", {"RequestItems": {self.table: entry}}))
        if rng.random() < 0.1:
            wanted = [self.wrong_key(key) if rng.random() < 0.4 else key for key in wanted if key]
        gets = [{"Get": {"TableName": self.table, "Key": key}} for key in wanted]
        self.requests.append(("TransactGetItems", {"TransactItems": gets}))

    def make_scan(self):
        """Makes a scan with filters over a table that no case changes."""
        rng = self.rng
        request = {"TableName": STILL}
        item = paths.Item(values.attributes(rng))
        roll = rng.random()
        if roll < 0.4:
            legacy.combine(rng, request, "ScanFilter", legacy.named(rng, item, legacy.condition))
        elif roll < 0.8:
            holders = paths.Placeholders(rng)
            request["FilterExpression"] = expressions.condition(rng, item, holders)
            request = self.spoil(holders.add_to(request))
        if rng.random() < 0.2:
            request["Select"] = rng.choice(
                ["COUNT", "ALL_ATTRIBUTES", "SPECIFIC_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"]
            )
        if rng.random() < 0.3:
            request.update(rng.choice(SEGMENTS))
        if rng.random() < 0.05:
            request["ExclusiveStartKey"] = {"pk": legacy.bad_value(rng)}
        if rng.random() < 0.1:
            request["AttributesToGet"] = ["pk"]
        self.requests.append(("Scan", request))

    def make_table(self):
        """Makes a CreateTable request, mostly an invalid one."""
        rng = self.rng
        request = copy.deepcopy(generate_cases.create_table(rng.choice(["strings", "single"])))
        request["TableName"] = f"table-{self.number}"
        if rng.random() < 0.6:
            self.spoil_table(rng, request)
        if rng.random() < 0.4:
            shapes.deform(rng, request)
        self.requests.append(("CreateTable", request))
        name = {"TableName": f"table-{self.number}"}
        self.requests.append(("DescribeTable", name))
        self.requests.append(("DeleteTable", name))

    @staticmethod
    def spoil_table(rng, request):
        key = request["KeySchema"]
        index = request.get("GlobalSecondaryIndexes", [{}])[0]
        changes = [
            lambda: key.append(dict(key[0])),
            lambda: key[0].update(KeyType="RANGE"),
            lambda: key[0].update(AttributeName="undefined"),
            lambda: key.reverse(),
            lambda: request["AttributeDefinitions"].append(
                {"AttributeName": "unused", "AttributeType": "S"}
            ),
            lambda: request["AttributeDefinitions"].pop(),
            lambda: request["AttributeDefinitions"][0].update(AttributeType="BOOL"),
            lambda: request.update(TableName=rng.choice(["a", "!!!", "x" * 256])),
            lambda: request.update(
                ProvisionedThroughput={"ReadCapacityUnits": 1, "WriteCapacityUnits": 1}
            ),
            lambda: request.update(BillingMode=rng.choice(["PROVISIONED", "FREE"])),
            lambda: request.update(GlobalSecondaryIndexes=[]),
            lambda: request.update(LocalSecondaryIndexes=[]),
            lambda: index.update(
                Projection=rng.choice([{}, {"ProjectionType": "INCLUDE"}, {"ProjectionType": "X"}])
            ),
            lambda: index.update(IndexName="Alone"),
            lambda: request.update(StreamSpecification={"StreamEnabled": True}),
        ]
        rng.choice(changes)()
