"""Changes that make a request violate the API's model: types, members or constraints."""

import copy

import generate_values as values

OTHERS = [1, -1, 1.5, 10**20, True, False, None, "x", "", [], {}, ["a"], [1], {"a": 1}, [None]]
BAD_BASE64 = ["a", "ab", "abc", "YQ", "YQ=", "Y Q==", "YQ==\n", "====", "YR==", "*aaa", "YWI=YQ=="]


def nodes(node, found=None):
    """Returns all pairs (container, key) of a request, where a container is a dict or list."""
    found = [] if found is None else found
    if isinstance(node, (dict, list)):
        for key, inner in node.items() if isinstance(node, dict) else enumerate(node):
            found.append((node, key))
            nodes(inner, found)
    return found


def is_value(node):
    return isinstance(node, dict) and len(node) == 1 and next(iter(node)) in values.TYPES


def spoil_value(rng, value):
    """Makes an attribute value invalid."""
    kind, inner = next(iter(value.items()))
    roll = rng.random()
    if roll < 0.15:
        value[rng.choice([k for k in values.TYPES if k != kind])] = copy.deepcopy(inner)
    elif roll < 0.3:
        del value[kind]
        value[rng.choice([k for k in values.TYPES if k != kind])] = inner
    elif roll < 0.4:
        del value[kind]
    elif roll < 0.5:
        value["Q"] = value.pop(kind)
    elif roll < 0.65:
        del value[kind]
        value[rng.choice(["B", "B", "BS"])] = bad = rng.choice(BAD_BASE64)
        if "BS" in value:
            value["BS"] = ["YQ==", bad]
    elif roll < 0.75:
        del value[kind]
        value.update(rng.choice([{"NULL": False}, {"N": 1}, {"BOOL": "true"}, {"S": 1}, {"L": {}}]))
    elif roll < 0.85:
        del value[kind]
        value.update(
            rng.choice([{"SS": ["a", "a"]}, {"NS": ["1", "1.0"]}, {"BS": ["Yg==", "Yg=="]}])
        )
    else:
        value[kind] = rng.choice(OTHERS)


def deform(rng, request):
    """Makes one change to the JSON of a request."""
    roll = rng.random()
    if roll < 0.15:
        member = rng.choice(["ExpressionAttributeNames", "ExpressionAttributeValues"])
        request[member] = rng.choice([{}, {}, {"#a": ""}, {"#a": "a", ":a": "a"}, None])
        return
    places = nodes(request)
    of_values = [(node, key) for node, key in places if is_value(node[key])]
    if of_values and roll < 0.55:
        node, key = rng.choice(of_values)
        spoil_value(rng, node[key])
        return
    node, key = rng.choice(places)
    if roll < 0.9:
        node[key] = copy.deepcopy(rng.choice(OTHERS))
    elif isinstance(node, dict) and roll < 0.95:
        del node[key]
    else:
        request["Unknown"] = rng.choice(OTHERS)


# Maps each member of a request to values that violate a constraint of the member.
WRONG = {
    "TableName": ["a", "", "x" * 256, "a b", "ab!", None],
    "IndexName": ["a", "!!!", "x" * 256],
    "Limit": [0, -1],
    "Select": ["SOME", "count"],
    "ReturnValues": ["ALL", "none"],
    "ReturnConsumedCapacity": ["MAYBE", ""],
    "ReturnItemCollectionMetrics": ["BIG"],
    "ReturnValuesOnConditionCheckFailure": ["NEW"],
    "ConditionalOperator": ["XOR"],
    "Segment": [-1, 1_000_000],
    "TotalSegments": [0, 1_000_001],
    "AttributesToGet": [[]],
    "Key": [None],
    "Item": [None],
    "KeyConditions": [{"pk": {"ComparisonOperator": "LIKE"}}, {"pk": {}}],
    "QueryFilter": [{"a": {"ComparisonOperator": "eq"}}],
    "Expected": [{"a": {"ComparisonOperator": "=="}}],
    "AttributeUpdates": [{"a": {"Action": "SET"}}],
    "ClientRequestToken": ["", "x" * 37],
    "TransactItems": [None, []],
    "RequestItems": [None, {}],
}
MEMBERS = {
    "GetItem": ["TableName", "Key", "ReturnConsumedCapacity", "AttributesToGet"],
    "PutItem": [
        "TableName",
        "Item",
        "ReturnConsumedCapacity",
        "ReturnItemCollectionMetrics",
        "ReturnValues",
        "ConditionalOperator",
        "Expected",
    ],
    "DeleteItem": [
        "TableName",
        "Key",
        "ReturnConsumedCapacity",
        "ReturnItemCollectionMetrics",
        "ReturnValues",
        "ConditionalOperator",
        "Expected",
    ],
    "UpdateItem": [
        "TableName",
        "Key",
        "ReturnConsumedCapacity",
        "ReturnItemCollectionMetrics",
        "ReturnValues",
        "ConditionalOperator",
        "Expected",
        "AttributeUpdates",
    ],
    "Query": [
        "TableName",
        "IndexName",
        "Limit",
        "Select",
        "ReturnConsumedCapacity",
        "ConditionalOperator",
        "AttributesToGet",
        "KeyConditions",
        "QueryFilter",
    ],
    "Scan": [
        "TableName",
        "IndexName",
        "Limit",
        "Select",
        "ReturnConsumedCapacity",
        "ConditionalOperator",
        "AttributesToGet",
        "Segment",
        "TotalSegments",
    ],
    "BatchGetItem": ["RequestItems", "ReturnConsumedCapacity"],
    "BatchWriteItem": ["RequestItems", "ReturnConsumedCapacity", "ReturnItemCollectionMetrics"],
    "TransactGetItems": ["TransactItems", "ReturnConsumedCapacity"],
    "TransactWriteItems": ["TransactItems", "ClientRequestToken", "ReturnConsumedCapacity"],
}


def violate(rng, operation, request):
    """Breaks one to three constraints of a request."""
    members = MEMBERS[operation]
    for member in rng.sample(members, min(len(members), rng.choice([1, 1, 2, 3]))):
        request[member] = copy.deepcopy(rng.choice(WRONG[member]))
        if request[member] is None:
            del request[member]
