"""Random legacy parameters such as Expected, which are older than expressions."""

import generate_values as values

ARGUMENTS = {
    "EQ": 1,
    "NE": 1,
    "LE": 1,
    "LT": 1,
    "GE": 1,
    "GT": 1,
    "CONTAINS": 1,
    "NOT_CONTAINS": 1,
    "BEGINS_WITH": 1,
    "BETWEEN": 2,
    "IN": None,
    "NULL": 0,
    "NOT_NULL": 0,
}
# The operators whose arguments must be scalars.
ORDERED = ("LE", "LT", "GE", "GT", "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH", "BETWEEN", "IN")


def scalar(rng, old=None):
    kind = next(iter(old)) if old else None
    return values.value_of_type(rng, kind if kind in ("S", "N", "B") else rng.choice("SNB"))


def bad_value(rng):
    return rng.choice([{"N": "x"}, {"SS": []}, {"BS": []}, {"NULL": False}])


def argument(rng, operator, old):
    if rng.random() < 0.01:
        return bad_value(rng)
    if operator in ORDERED and rng.random() < 0.9:
        return old if old and rng.random() < 0.3 and "S" in old else scalar(rng, old)
    return values.near(rng, old) if old and rng.random() < 0.7 else values.value(rng)


def condition(rng, old):
    """Returns a ComparisonOperator with arguments. Most have the right number and types."""
    operator = rng.choice(list(ARGUMENTS))
    count = ARGUMENTS[operator]
    if count is None:
        count = rng.randint(1, 3)
    if rng.random() < 0.05:
        count = rng.randint(0, 3)
    found = {"ComparisonOperator": operator}
    arguments = [argument(rng, operator, old) for _ in range(count)]
    if operator == "BETWEEN" and len({next(iter(a)) for a in arguments}) > 1:
        arguments = (
            [scalar(rng, {"N": "1"}) for _ in arguments] if rng.random() < 0.8 else arguments
        )
    if count or rng.random() < 0.5:
        found["AttributeValueList"] = arguments
    return found


def expectation(rng, old):
    """Returns an entry of Expected: a condition, or the older form with Value and Exists."""
    roll = rng.random()
    if roll < 0.5:
        return condition(rng, old)
    found = {}
    if roll < 0.8:
        found["Value"] = old if old and rng.random() < 0.7 else values.value(rng)
        if rng.random() < 0.3:
            found["Exists"] = rng.random() < 0.9
    elif roll < 0.95:
        found["Exists"] = rng.random() < 0.1
    else:
        found = {**condition(rng, old), "Value": values.value(rng)}
    return found


def named(rng, item, make, most=3):
    """Returns {attribute name: entry}. `make` returns an entry. Most attributes are in the item."""
    attributes = item.attributes
    names = rng.sample(sorted(attributes), min(len(attributes), rng.randint(1, most)))
    if rng.random() < 0.3 or not names:
        names.append(values.attribute_name(rng))
    return {name: make(rng, attributes.get(name)) for name in names}


def update(rng, old):
    """Returns an entry of the legacy parameter AttributeUpdates."""
    action = rng.choice(["PUT", "PUT", "ADD", "ADD", "DELETE", None])
    found = {} if action is None else {"Action": action}
    if action == "ADD" and rng.random() < 0.8:
        kind = next(iter(old)) if old else "N"
        kind = kind if kind in ("N", "SS", "NS", "BS", "L") else rng.choice(["N", "SS", "L"])
        found["Value"] = values.value_of_type(rng, kind)
    elif action == "DELETE":
        if rng.random() < 0.4:
            kind = next(iter(old)) if old else "SS"
            found["Value"] = values.value_of_type(rng, kind)
    elif rng.random() < 0.95:
        found["Value"] = values.value(rng)
    return found


def key_conditions(rng, schema, partition, pool):
    found = {schema[0][0]: {"ComparisonOperator": "EQ", "AttributeValueList": [partition]}}
    if len(schema) > 1 and rng.random() < 0.7:
        operator = rng.choice(["EQ", "LE", "LT", "GE", "GT", "BEGINS_WITH", "BETWEEN", "BETWEEN"])
        if rng.random() < 0.04:
            operator = rng.choice(list(ARGUMENTS))
        count = ARGUMENTS[operator] or (operator == "IN")
        arguments = [rng.choice(pool) for _ in range(count)] if pool else []
        found[schema[1][0]] = {"ComparisonOperator": operator, "AttributeValueList": arguments}
    if rng.random() < 0.03:
        found[rng.choice(["extra", "gpk"])] = condition(rng, None)
    return found


def combine(rng, request, member, conditions):
    """Puts conditions into a request, sometimes with a ConditionalOperator."""
    request[member] = conditions
    if rng.random() < (0.4 if len(conditions) > 1 else 0.05):
        request["ConditionalOperator"] = rng.choice(["AND", "OR", "OR"])


def attributes_to_get(rng, item):
    names = [*item.attributes, "pk", "sk", "absent"]
    found = rng.sample(names, min(len(names), rng.randint(1, 4)))
    return [*found, found[0]] if rng.random() < 0.05 else found


MIXED = {
    "ConditionExpression": "attribute_exists(pk)",
    "UpdateExpression": "REMOVE a",
    "FilterExpression": "attribute_exists(a)",
    "ProjectionExpression": "a",
    "KeyConditionExpression": "pk = :pk",
    "ExpressionAttributeNames": {"#a": "a"},
    "ExpressionAttributeValues": {":a": {"S": "a"}},
}


def mix(rng, request):
    """Adds a parameter of expressions to a request with legacy parameters.

    DynamoDB rejects a request that has both.
    """
    member = rng.choice(list(MIXED))
    request.setdefault(member, MIXED[member])
