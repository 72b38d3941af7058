"""Random cases of PartiQL: ExecuteStatement, BatchExecuteStatement and ExecuteTransaction."""

import random

import generate_statements as statements
from generate_statements import Statement, binary
from unsupported_statements import UNSUPPORTED

# The table that no case changes, and two tables in which each case has items of its own.
STILL, OWN, HASH = "tbl", "own", "hsh"
# Stands in a request for the NextToken of the answer to the request before it.
PREVIOUS = "previous"

RETURNING = ["ALL OLD *", "ALL NEW *", "MODIFIED OLD *", "MODIFIED NEW *"]


class Request(dict):
    """A request. Items that are not ordered are compared without their order."""

    ordered = True


def with_token(request, answer):
    """Returns the request with the NextToken of the previous answer in place of PREVIOUS."""
    if request.get("NextToken") != PREVIOUS:
        return request
    rest = {member: value for member, value in request.items() if member != "NextToken"}
    return {**rest, **({"NextToken": answer["NextToken"]} if "NextToken" in answer else {})}


def key(*names):
    return [{"AttributeName": n, "KeyType": r} for n, r in zip(names, ("HASH", "RANGE"))]


def create_table(name):
    if name == HASH:
        types, keys, indexes = {"id": "S"}, key("id"), {}
    else:
        types, keys = {"pk": "S", "sk": "N", "g": "S", "l": "S"}, key("pk", "sk")
        indexes = {
            "GlobalSecondaryIndexes": [
                {
                    "IndexName": "gidx",
                    "KeySchema": key("g", "sk"),
                    "Projection": {"ProjectionType": "KEYS_ONLY"},
                }
            ],
            "LocalSecondaryIndexes": [
                {
                    "IndexName": "lidx",
                    "KeySchema": key("pk", "l"),
                    "Projection": {"ProjectionType": "ALL"},
                }
            ],
        }
    return {
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            {"AttributeName": attribute, "AttributeType": kind} for attribute, kind in types.items()
        ],
        "KeySchema": keys,
        **indexes,
    }


TABLES = [create_table(name) for name in (STILL, OWN, HASH)]


def still_items():
    """Returns the items of partiql.md's examples, and random items in further partitions."""
    for n in range(5):
        yield {
            "pk": {"S": "a"},
            "sk": {"N": str(n)},
            "v": {"N": str(n * 10)},
            "m": {"M": {"x": {"N": str(n)}, "y": {"L": [{"S": "y0"}, {"S": "y1"}]}}},
            "s": {"S": f"str{n}"},
            "ss": {"SS": ["p", "q"]},
            "g": {"S": f"g{n % 2}"},
            "l": {"S": f"l{4 - n}"},
        }
    yield {"pk": {"S": "b"}, "sk": {"N": "1"}, "v": {"S": "str"}}
    rng = random.Random(STILL)
    for n in range(24):
        yield {
            **attributes(rng),
            "pk": {"S": "cd"[n % 2]},
            "sk": {"N": str(10 + n)},
            "g": {"S": f"g{n % 3}"},
            "l": {"S": f"l{n:02}"},
        }


def attributes(rng):
    """Returns random attributes. Most have the type that statements expect."""
    statement = Statement(rng)
    found = {
        "m": {"M": {"x": {"N": "1"}, "y": {"L": [{"S": "y0"}, {"S": "y1"}]}}},
        "li": {"L": [{"S": "a"}, {"M": {"k": {"N": "2"}}}, {"N": "3"}]},
        "bin": binary(b"a"),
    }
    for name in statements.TYPES:
        found[name] = statement.fitting(name)
        if "N" in found[name] and found[name]["N"] in statements.WRONG_NUMBERS:
            found[name] = {"N": "5"}
    for name in ("g", "l"):
        del found[name]
    return {name: found[name] for name in found if rng.random() < 0.75}


class PartiqlCase:
    """A sequence of requests. Only the requests of this case change its items."""

    KINDS = (
        ["select"] * 7
        + ["pages"] * 2
        + ["insert"] * 2
        + ["update"] * 5
        + ["delete"] * 2
        + ["batch"] * 2
        + ["transaction"] * 3
        + ["unsupported"]
    )

    def __init__(self, seed, number):
        self.rng = random.Random(f"{seed}/{number}")
        self.seed = seed
        self.number = number
        self.requests = []
        self.table = self.rng.choice([OWN, OWN, HASH])
        self.kind = self.rng.choice(self.KINDS)
        getattr(self, f"make_{self.kind}")()

    # ---- Parts ----

    def add(self, request, operation="ExecuteStatement", ordered=True):
        request = Request(request)
        request.ordered = ordered
        self.requests.append((operation, request))

    def key(self, suffix=0):
        if self.table == HASH:
            return {"id": {"S": f"{self.number}-{suffix}"}}
        return {"pk": {"S": str(self.number)}, "sk": {"N": str(suffix)}}

    def where(self, statement, item_key, condition=0.3):
        """Returns a condition that fixes the key of an item, sometimes with a further condition."""
        rng = self.rng
        parts = []
        for name, value in item_key.items():
            if rng.random() < 0.01:
                value = statement.any()
            swapped = rng.random() < 0.1
            text = statement.value(value)
            parts.append(f"{text} = {name}" if swapped else f"{name} = {text}")
        if rng.random() < 0.02:
            parts.pop()
        if rng.random() < condition or not parts:
            parts.append(statement.condition(1))
        return " WHERE " + " AND ".join(parts)

    def put(self, chance=0.9, suffix=0):
        item_key = self.key(suffix)
        if self.rng.random() < chance:
            item = {**attributes(self.rng), **item_key}
            self.requests.append(("PutItem", {"TableName": self.table, "Item": item}))
        return item_key

    def get(self, item_key):
        self.requests.append(("GetItem", {"TableName": self.table, "Key": item_key}))

    # ---- Reads ----

    def select(self, statement):
        """Returns the text of a SELECT from the table that does not change.

        The second result is true if the items of the result have an order.
        """
        rng = self.rng
        target = rng.choice([STILL] * 6 + [f'"{STILL}"', f'"{STILL}"."gidx"', f"{STILL}.lidx"])
        partition = "g" if "gidx" in target else "pk"
        sort = "l" if "lidx" in target else "sk"
        head = f"SELECT {statement.columns()} FROM {target}"
        keys = [{"S": "g1"}, {"S": "g0"}] if partition == "g" else [{"S": k} for k in "abcdz"]
        roll = rng.random()
        ordered = roll < 0.75
        if roll < 0.45:
            parts = [f"{partition} = {statement.value(rng.choice(keys))}"]
        elif roll < 0.65:
            values = ", ".join(statement.value(k) for k in rng.sample(keys, rng.randint(1, 2)))
            parts = [f"{partition} IN [{values}]"]
        elif roll < 0.75:
            one, two = rng.sample(keys, 2)
            first = f"{partition} = {statement.value(one)}"
            parts = [f"({first} OR {partition} = {statement.value(two)})"]
        else:
            parts = []
        if parts and rng.random() < 0.5:
            parts.append(self.sort_condition(statement, sort))
        if rng.random() < 0.5 or (not parts and rng.random() < 0.8):
            parts.append(statement.condition())
        joined = " OR " if rng.random() < 0.04 else " AND "
        text = head + (f" WHERE {joined.join(parts)}" if parts else "")
        if rng.random() < 0.2:
            names = rng.choice([[sort], [sort], [partition], [partition, sort], ["v"]])
            text += " ORDER BY " + ", ".join(n + rng.choice(["", " ASC", " DESC"]) for n in names)
        return text, ordered and joined == " AND "

    def sort_condition(self, statement, name):
        rng = self.rng

        def value():
            number = rng.randint(0, 20)
            return statement.value({"S": f"l{number}"} if name == "l" else {"N": str(number)})

        form = rng.choice(["=", "<", "<=", ">", ">=", "<>", "BETWEEN", "IN", "begins_with"])
        if form == "BETWEEN":
            return f"{name} BETWEEN {value()} AND {value()}"
        if form == "IN":
            return f"{name} IN [{value()}, {value()}]"
        if form == "begins_with":
            return f"begins_with({name}, {value()})"
        return f"{name} {form} {value()}"

    def make_select(self):
        rng = self.rng
        for _ in range(rng.randint(1, 3)):
            statement = Statement(rng)
            text, ordered = self.select(statement)
            request = statement.request(text, 0.12)
            if rng.random() < 0.1:
                request["ConsistentRead"] = rng.random() < 0.7
            if rng.random() < 0.01:
                request["Limit"] = 0
            self.add(request, ordered=ordered and request["Statement"] == text)

    def make_pages(self):
        rng = self.rng
        statement = Statement(rng)
        text, ordered = self.select(statement)
        if not ordered:
            statement = Statement(rng)
            text = f"SELECT {statement.columns()} FROM {STILL}"
            text += f" WHERE pk = {statement.value({'S': 'c'})}"
        request = statement.request(text)
        for n in range(rng.randint(2, 4)):
            page = {**request, "Limit": rng.choice([1, 2, 3, 5])}
            if n > 0:
                page["NextToken"] = PREVIOUS
            if rng.random() < 0.02:
                page["NextToken"] = "nonsense"
            self.add(page)

    # ---- Writes ----

    def insert(self, statement, item_key):
        """Returns the text of an INSERT of random attributes. Some have values of wrong types."""
        rng = self.rng
        item = {**item_key, **attributes(rng)}
        if rng.random() < 0.03:
            item.pop(rng.choice(list(item_key)))
        if rng.random() < 0.05:
            item["g"] = statement.any()
        if rng.random() < 0.05:
            item["extra"] = {"L": [{"M": {"a.b": {"SS": ["x"]}}}, {"NULL": True}]}
        names = list(item)
        rng.shuffle(names)
        values = ", ".join(f"{statements.string(n)}: {statement.value(item[n])}" for n in names)
        return f"INSERT INTO {self.table} VALUE {{{values}}}"

    def make_insert(self):
        rng = self.rng
        for suffix in range(rng.randint(1, 2)):
            for _ in range(rng.choice([1, 1, 2])):
                statement = Statement(rng)
                text = self.insert(statement, self.key(suffix))
                request = statement.request(text, 0.15)
                if rng.random() < 0.1:
                    request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
                self.add(request)
            self.get(self.key(suffix))

    def write(self, statement, item_key, condition=0.3, returning=True):
        """Returns the text of an UPDATE or a DELETE of an item."""
        rng = self.rng
        if rng.random() < 0.75:
            text = f"UPDATE {self.table} {statement.update()}"
            choices = RETURNING
        else:
            text = f"DELETE FROM {self.table}"
            choices = ["ALL OLD *"] * 5 + RETURNING
        text += self.where(statement, item_key, condition)
        return text + (statement.returning(choices) if returning else "")

    def make_update(self):
        rng = self.rng
        item_key = self.put()
        for _ in range(rng.randint(1, 2)):
            statement = Statement(rng)
            text = self.write(statement, item_key)
            request = statement.request(text, 0.12)
            if rng.random() < 0.3:
                request["ReturnValuesOnConditionCheckFailure"] = rng.choice(["ALL_OLD", "NONE"])
            self.add(request)
            self.get(item_key)

    def make_delete(self):
        rng = self.rng
        item_key = self.put(0.7)
        statement = Statement(rng)
        text = f"DELETE FROM {self.table}" + self.where(statement, item_key, 0.5)
        self.add(statement.request(text + statement.returning(["ALL OLD *"]), 0.12))
        self.get(item_key)

    # ---- Several statements ----

    def select_item(self, statement, item_key, condition):
        columns = "*" if self.rng.random() < 0.5 else "v, s"
        return f"SELECT {columns} FROM {self.table}" + self.where(statement, item_key, condition)

    def statement_list(self, keys, transaction):
        """Returns statements that all read or all write, apart from a few."""
        rng = self.rng
        reads = rng.random() < 0.4
        found = []
        for item_key in keys:
            statement = Statement(rng)
            if reads != (rng.random() < 0.02):
                text = self.select_item(statement, item_key, 0.03)
            elif rng.random() < 0.35:
                text = self.insert(statement, item_key)
            elif transaction and rng.random() < 0.2:
                text = f"EXISTS({self.select_item(statement, item_key, 0.9)})"
            else:
                returning = not transaction or rng.random() < 0.05
                text = self.write(statement, item_key, 0.15, returning)
            request = statement.request(text, 0.03)
            if rng.random() < 0.2:
                request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
            if rng.random() < 0.02:
                request["Statement"] = request["Statement"].replace(self.table, "absent", 1)
            found.append(request)
        if rng.random() < 0.03:
            found.append(rng.choice(found))
        return found

    def make_batch(self):
        keys = [self.put(0.5, suffix) for suffix in range(self.rng.randint(1, 5))]
        self.add({"Statements": self.statement_list(keys, False)}, "BatchExecuteStatement")
        for item_key in keys:
            self.get(item_key)

    def make_transaction(self):
        rng = self.rng
        keys = [self.put(0.6, suffix) for suffix in range(rng.randint(1, 4))]
        request = {"TransactStatements": self.statement_list(keys, True)}
        if rng.random() < 0.15:
            request["ClientRequestToken"] = f"token-{self.seed}-{self.number}"
            self.add(request, "ExecuteTransaction")
            if rng.random() < 0.3:
                request = {**request, "TransactStatements": self.statement_list(keys, True)}
        self.add(request, "ExecuteTransaction")
        for item_key in keys:
            self.get(item_key)

    # ---- Statements that DynamoDB does not support ----

    def make_unsupported(self):
        for text in self.rng.sample(UNSUPPORTED, 4):
            self.add({"Statement": text}, ordered=False)
