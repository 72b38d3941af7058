"""Compares the requests of Requests with those of botocore, for random parameters."""

import os
import random

import boto3
import pytest
from botocore.exceptions import ParamValidationError
from dolmen.boto.requests import Requests

ODD = (None, True, 0, -1, 5, 1.5, "", "x", b"b", bytearray(b"b"), [], ["x"], (), {}, {"x": "y"})


@pytest.fixture(scope="module")
def client():
    return boto3.Session("id", "secret", region_name="us-east-1").client("dynamodb")


def value_of(shape, chance, depth=0):
    """Returns a random value of the shape. Some of its parts have a wrong type or are missing."""
    if chance.random() < 0.03:
        return chance.choice(ODD)
    kind = shape.type_name
    if kind == "structure":
        required = shape.metadata.get("required", ())
        share = 0.3 / (1 + depth)
        found = {
            name: value_of(member, chance, depth + 1)
            for name, member in shape.members.items()
            if chance.random() < (0.98 if name in required else share)
        }
        return found | ({"NoSuchMember": 1} if chance.random() < 0.02 else {})
    if kind in ("list", "map"):
        part = shape.member if kind == "list" else shape.value
        parts = [value_of(part, chance, depth + 1) for _ in range(chance.randrange(3))]
        names = [value_of(shape.key, chance) for _ in parts] if kind == "map" else ()
        if kind == "list":
            return tuple(parts) if chance.random() < 0.1 else parts
        return {name: part for name, part in zip(names, parts) if isinstance(name, str)}
    values = {
        "string": lambda: chance.choice(("", "a", "Grüße", '"\\\n\0', "x" * 300)),
        "integer": lambda: chance.randrange(-2, 100),
        "long": lambda: chance.randrange(-2, 2**40),
        "boolean": lambda: chance.random() < 0.5,
        "blob": lambda: chance.choice((b"", b"\0\xff", "text")),
        "timestamp": lambda: "2026-04-15T10:30:00Z",
    }
    return values.get(kind, lambda: 1.5)()


def outcome(serialize):
    """Returns the request, or the text of the error."""
    try:
        return serialize()
    except ParamValidationError as error:
        return str(error)


def test_random_requests_are_those_of_botocore(client):
    seed = int(os.environ.get("DOLMEN_SEED") or random.randrange(10**9))
    print(f"DOLMEN_SEED={seed}")
    chance = random.Random(seed)
    botocore = client._serializer
    compared = short = 0
    for name in client.meta.service_model.operation_names:
        model = client.meta.service_model.operation_model(name)
        requests = Requests(model)
        for _ in range(60):
            params = value_of(model.input_shape, chance)
            if not isinstance(params, dict):
                continue
            expected = outcome(lambda: botocore.serialize_to_request(params, model))
            assert outcome(lambda: requests.serialize(botocore, params)) == expected, params
            compared += 1
            short += requests._template is not None and requests._check(params)
    print(f"{compared} requests, {short} of them without botocore")
    assert short > compared / 20


def test_handlers_can_change_the_headers_of_one_request(client):
    requests = Requests(client.meta.service_model.operation_model("ListTables"))
    first, second = (requests.serialize(client._serializer, {}) for _ in range(2))
    first["headers"]["x"] = second["headers"]["y"] = "z"
    third = requests.serialize(client._serializer, {})
    assert third["headers"].keys() == {"X-Amz-Target", "Content-Type"}
