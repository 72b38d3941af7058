"""Random cases. A case stores some items and then sends requests whose answers are compared."""

import random

import generate_expressions as expressions
import generate_faults as faults
import generate_paths as paths
import generate_values as values

# The schema of each table: (keys, {index: keys}). A key is a name and a type.
SCHEMAS = {
    "strings": (
        [("pk", "S"), ("sk", "S")],
        {
            "ByText": [("gpk", "S"), ("gsk", "S")],
            "ByNumber": [("gpk", "S"), ("gnum", "N")],
            "Alone": [("gpk", "S")],
        },
    ),
    "numbers": ([("pk", "N"), ("sk", "N")], {}),
    "binaries": ([("pk", "B"), ("sk", "B")], {"ByBinary": [("gpk", "S"), ("gbin", "B")]}),
    "single": ([("pk", "S")], {}),
}
SORT_VALUES = {
    "S": [{"S": s} for s in values.STRINGS if s],
    "N": [{"N": n} for n in values.NUMBERS],
    "B": [{"B": values.encode(b)} for b in values.BINARIES if b],
}


def create_table(name):
    keys, indexes = SCHEMAS[name]
    types = {attribute: kind for key in [keys, *indexes.values()] for attribute, kind in key}

    def schema(key):
        return [
            {"AttributeName": attribute, "KeyType": role}
            for (attribute, _), role in zip(key, ("HASH", "RANGE"))
        ]

    request = {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": schema(keys),
        "AttributeDefinitions": [
            {"AttributeName": a, "AttributeType": t} for a, t in types.items()
        ],
    }
    if indexes:
        request["GlobalSecondaryIndexes"] = [
            {"IndexName": index, "KeySchema": schema(key), "Projection": {"ProjectionType": "ALL"}}
            for index, key in indexes.items()
        ]
    return request


class Case:
    """A sequence of requests to a partition that no other case uses."""

    KINDS = (
        ["condition"] * 5
        + ["update"] * 6
        + ["absent_update"]
        + ["projection"] * 2
        + ["query"] * 4
        + ["transaction"]
        + ["item"]
    )

    def __init__(self, seed, number):
        self.rng = random.Random(f"{seed}/{number}")
        self.seed = seed
        self.number = number
        self.requests = []
        self.table = self.rng.choice(["strings"] * 5 + ["numbers", "binaries", "single"])
        self.keys, self.indexes = SCHEMAS[self.table]
        self.kind = self.rng.choice(self.KINDS)
        getattr(self, f"make_{self.kind}")()

    # ---- Parts ----

    def partition(self, suffix=""):
        kind = self.keys[0][1]
        if kind == "N":
            return {"N": f"{self.number}{suffix}"}
        text = f"{self.number}{'-' + suffix if suffix else ''}"
        return {"S": text} if kind == "S" else {"B": values.encode(text.encode())}

    def key(self, sort=None, suffix=""):
        key = {self.keys[0][0]: self.partition(suffix)}
        if len(self.keys) > 1:
            name, kind = self.keys[1]
            key[name] = sort or SORT_VALUES[kind][0]
        return key

    def add(self, operation, request):
        self.requests.append((operation, {"TableName": self.table, **request}))

    def put(self, key, attributes):
        self.add("PutItem", {"Item": {**attributes, **key}})

    def get(self, key):
        self.add("GetItem", {"Key": key, "ConsistentRead": True})

    def stored_item(self, chance=0.9):
        """Returns a key and an item for expressions. Puts the item with probability `chance`."""
        attributes = values.attributes(self.rng)
        key = self.key()
        if self.rng.random() < chance:
            self.put(key, attributes)
        return key, paths.Item({**attributes, **key} if self.rng.random() < 0.1 else attributes)

    def spoil(self, request, chance=0.12):
        """Puts a fault into the request with probability `chance`, sometimes several faults."""
        if self.rng.random() < chance:
            for _ in range(self.rng.choice([1, 1, 1, 1, 2, 3])):
                faults.inject(self.rng, request)
        return request

    def return_values(self, request, choices):
        if self.rng.random() < 0.5:
            request["ReturnValues"] = self.rng.choice(choices)
        if "ConditionExpression" in request and self.rng.random() < 0.4:
            request["ReturnValuesOnConditionCheckFailure"] = self.rng.choice(
                ["ALL_OLD", "ALL_OLD", "NONE"]
            )

    # ---- Kinds ----

    def make_condition(self):
        rng = self.rng
        key, item = self.stored_item()
        for _ in range(rng.randint(1, 3)):
            holders = paths.Placeholders(rng)
            text = expressions.condition(rng, item, holders)
            operation = rng.choice(["PutItem", "DeleteItem", "UpdateItem", "UpdateItem", "Query"])
            if operation == "Query":
                name, value = self.keys[0][0], holders.value(self.partition())
                request = {"KeyConditionExpression": f"{name} = {value}", "FilterExpression": text}
            elif operation == "PutItem":
                request = {"Item": {**item.attributes, **key}, "ConditionExpression": text}
            else:
                request = {"Key": key, "ConditionExpression": text}
            if operation != "Query":
                self.return_values(request, ["NONE", "ALL_OLD"])
            if operation == "PutItem" and rng.random() < 0.02:
                request["ReturnValues"] = rng.choice(["ALL_NEW", "UPDATED_OLD"])
            self.add(operation, self.spoil(holders.add_to(request)))
        self.get(key)

    def make_update(self):
        rng = self.rng
        key, item = self.stored_item(0.85)
        for _ in range(rng.randint(1, 2)):
            holders = paths.Placeholders(rng)
            request = {"Key": key, "UpdateExpression": expressions.update(rng, item, holders)}
            if rng.random() < 0.15:
                request["ConditionExpression"] = expressions.condition(rng, item, holders, depth=1)
            if rng.random() < 0.03:
                del request["UpdateExpression"]
                holders = paths.Placeholders(rng)
                request.pop("ConditionExpression", None)
            self.return_values(
                request, ["NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW", "UPDATED_NEW"]
            )
            self.add("UpdateItem", self.spoil(holders.add_to(request)))
            self.get(key)

    def make_absent_update(self):
        """Makes updates of an absent item. Half of them only remove, so they create no item."""
        rng = self.rng
        key, item = self.key(), paths.Item(values.attributes(rng))
        for _ in range(rng.randint(1, 3)):
            holders = paths.Placeholders(rng)
            names = rng.choice(
                [["REMOVE"], ["DELETE"], ["REMOVE", "DELETE"]] + [["SET"], ["ADD"], ["ADD", "REMOVE"]]
            )
            request = {"Key": key, "UpdateExpression": expressions.update(rng, item, holders, names)}
            if rng.random() < 0.3:
                request["ConditionExpression"] = rng.choice(
                    [f"attribute_not_exists({self.keys[0][0]})", "attribute_exists(a)"]
                )
            self.return_values(
                request, ["NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"]
            )
            self.add("UpdateItem", self.spoil(holders.add_to(request), 0.05))
            self.get(key)

    def make_projection(self):
        key, item = self.stored_item(0.95)
        for _ in range(self.rng.randint(1, 3)):
            holders = paths.Placeholders(self.rng)
            request = {
                "Key": key,
                "ProjectionExpression": expressions.projection(self.rng, item, holders),
            }
            self.add("GetItem", self.spoil(holders.add_to(request)))

    def make_query(self):
        rng = self.rng
        items, index_sorts = [], {}
        sort_kind = self.keys[1][1] if len(self.keys) > 1 else None
        sorts = rng.sample(SORT_VALUES[sort_kind], rng.randint(1, 8)) if sort_kind else [None]
        for sort in self.distinct(sorts):
            attributes = values.attributes(rng, 4)
            for index_keys in self.indexes.values():
                if rng.random() < 0.8:
                    attributes["gpk"] = {"S": f"g{self.number}"}
                    self.add_index_sort(attributes, index_keys, index_sorts)
            self.put(self.key(sort), attributes)
            items.append({**attributes, **self.key(sort)})
        for _ in range(rng.randint(1, 3)):
            self.query(items)

    @staticmethod
    def distinct(sorts):
        """Returns the sort keys without repetitions. Numbers are compared by their value."""
        found = {}
        for sort in sorts:
            identity = float(sort["N"]) if sort and "N" in sort else repr(sort)
            found.setdefault(identity, sort)
        return found.values()

    def add_index_sort(self, attributes, index_keys, taken):
        """Adds an index sort key to the attributes. No other item of this case has this sort key.

        DynamoDB does not define the order of two items with the same keys in an index.
        """
        if len(index_keys) < 2:
            return
        name, kind = index_keys[1]
        for sort in self.rng.sample(SORT_VALUES[kind], 5):
            identity = (name, float(sort["N"]) if kind == "N" else repr(sort))
            if taken.setdefault(identity, id(attributes)) == id(attributes):
                attributes[name] = sort
                return

    def query(self, items):
        rng = self.rng
        holders = paths.Placeholders(rng)
        schema, partition, request = self.keys, self.partition(), {}
        if self.indexes and rng.random() < 0.4:
            request["IndexName"], schema = rng.choice(list(self.indexes.items()))
            partition = {"S": f"g{self.number}"}
            if rng.random() < 0.01:
                request["IndexName"] = "NoSuchIndex"
        pool = [i[schema[1][0]] for i in items if len(schema) > 1 and schema[1][0] in i]
        request["KeyConditionExpression"] = expressions.key_condition(
            rng, holders, schema, partition, pool
        )
        item = paths.Item(
            {
                k: v
                for k, v in rng.choice(items).items()
                if k not in dict(schema) or rng.random() < 0.02
            }
        )
        if rng.random() < 0.3:
            request["FilterExpression"] = expressions.condition(rng, item, holders, depth=1)
        if rng.random() < 0.25:
            request["ProjectionExpression"] = expressions.projection(rng, item, holders)
        ordered = len(schema) > 1 or "IndexName" not in request  # otherwise all keys are equal
        if ordered and rng.random() < 0.4:
            request["Limit"] = rng.choice([1, 1, 2, 3, 10])
        if rng.random() < 0.4:
            request["ScanIndexForward"] = rng.random() < 0.5
        if rng.random() < 0.1:
            request["Select"] = "COUNT"
        if ordered and rng.random() < 0.12:
            request["ExclusiveStartKey"] = self.start_key(items, schema)
        self.add("Query", self.spoil(holders.add_to(request), 0.08))

    def start_key(self, items, schema):
        rng = self.rng
        item = rng.choice(items)
        key = {name: item[name] for name, _ in [*self.keys, *schema] if name in item}
        for name in list(key):
            roll = rng.random()
            if roll < 0.04:
                del key[name]
            elif roll < 0.08:
                key[name] = values.value(rng)
            elif roll < 0.2 and name in dict(schema[1:]):
                key[name] = self.absent_sort(items, name, key[name])
        if rng.random() < 0.04 or not key:
            key["extra"] = {"S": "a"}
        return key

    def absent_sort(self, items, name, old):
        """Returns a value that no item has in the key attribute `name`.

        DynamoDB does not define the order of two items with the same keys in an index.
        """
        kind = next(iter(old))
        taken = [float(i[name]["N"]) if kind == "N" else i[name] for i in items if name in i]
        free = [v for v in SORT_VALUES[kind] if (float(v["N"]) if kind == "N" else v) not in taken]
        return self.rng.choice(free)

    def wrong_key(self, key):
        """Returns a copy of the key that does not match the schema, or that has an empty value."""
        rng = self.rng
        wrong, name = dict(key), rng.choice(list(key))
        roll = rng.random()
        if roll < 0.4:
            wrong[name] = {"BOOL": True} if "N" in wrong[name] else {"N": "7"}
        elif roll < 0.7:
            del wrong[name]
        elif roll < 0.85:
            wrong["extra"] = {"S": "a"}
        else:
            wrong[name] = {"B": ""} if "B" in wrong[name] else {"S": ""}
        return wrong

    def make_transaction(self):
        rng = self.rng
        stored, actions = [], []
        for suffix in range(rng.randint(1, 4)):
            key, attributes = self.key(suffix=str(suffix)), values.attributes(rng, 5)
            if rng.random() < 0.8:
                self.put(key, attributes)
            stored.append((key, paths.Item(attributes)))
        for key, item in stored:
            holders = paths.Placeholders(rng)
            kind = rng.choice(["Put", "Update", "Update", "Delete", "ConditionCheck"])
            request = {"TableName": self.table}
            used = self.wrong_key(key) if rng.random() < 0.06 else key
            if kind == "Put":
                request["Item"] = {**values.attributes(rng, 4), **used}
            else:
                request["Key"] = used
            if kind == "Update":
                request["UpdateExpression"] = expressions.update(rng, item, holders)
            if kind == "ConditionCheck" or rng.random() < 0.4:
                request["ConditionExpression"] = rng.choice(
                    [
                        lambda: expressions.condition(rng, item, holders, depth=1),
                        lambda: f"attribute_exists({self.keys[0][0]})",
                    ]
                )()
                if rng.random() < 0.5:
                    request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
            actions.append({kind: self.spoil(holders.add_to(request), 0.03)})
        if rng.random() < 0.03:
            actions.append(rng.choice(actions))
        self.requests.append(("TransactWriteItems", {"TransactItems": actions}))
        for key, _ in stored:
            self.get(key)

    def make_item(self):
        """Makes requests with items and keys that are invalid or close to a limit."""
        rng = self.rng
        key, attributes = self.key(), values.attributes(rng, 10)
        if rng.random() < 0.6:
            self.spoil_item(key, attributes)
        request = {"Item": {**attributes, **key}}
        self.return_values(request, ["NONE", "ALL_OLD"])
        self.add("PutItem", request)
        self.add("PutItem", request)
        self.get(key)
        self.add("DeleteItem", {"Key": key, "ReturnValues": rng.choice(["NONE", "ALL_OLD"])})
        self.get(key)

    def spoil_item(self, key, attributes):
        rng = self.rng
        roll = rng.random()
        name = rng.choice(list(key))
        if roll < 0.15:
            key[name] = values.value(rng)
        elif roll < 0.25:
            key[name] = rng.choice(
                [{"S": ""}, {"B": ""}, {"N": "1e5"}, {"S": "x" * 3000}, {"S": "x" * 1025}]
            )
        elif roll < 0.3 and len(key) > 1:
            del key[name]
        elif roll < 0.35:
            key["extra"] = {"S": "a"}
        elif roll < 0.6:
            attributes["bad"] = rng.choice(
                [
                    {"N": rng.choice(values.BAD_NUMBERS)},
                    {"NS": ["1", rng.choice(values.BAD_NUMBERS)]},
                    {"L": [{"N": rng.choice(values.BAD_NUMBERS)}]},
                ]
            )
        elif roll < 0.7:
            attributes["empty"] = rng.choice(
                [{"SS": []}, {"NS": []}, {"BS": []}, {"L": [{"SS": []}]}, {"M": {"a": {"NS": []}}}]
            )
        elif roll < 0.8:
            deep = {"S": "leaf"}
            for level in range(rng.choice([29, 30, 31, 32, 33])):
                deep = {"L": [deep]} if level % 2 else {"M": {"a": deep}}
            attributes["deep"] = deep
        elif roll < 0.9 and self.indexes:
            index_key = rng.choice(rng.choice(list(self.indexes.values())))[0]
            attributes[index_key] = rng.choice(
                [{"S": ""}, {"B": ""}, values.value(rng), {"S": "x" * 2049}]
            )
        else:
            attributes["big"] = {"S": "x" * rng.choice([1000, 409_500, 409_700])}
