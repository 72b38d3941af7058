"""Compares the items that a client writes with the recorded items in tests/entity/items."""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ITEMS = os.path.join(HERE, "..", "entity", "items")
SETS = ("SS", "NS", "BS")

sys.path.insert(0, os.path.join(HERE, "support"))
import recorded  # pylint: disable=wrong-import-position


def is_recorded(client):
    return any("recorded" in name for name in os.listdir(os.path.join(HERE, client)))


def recorded_file(client):
    return os.path.join(ITEMS, f"{client}.jsonl")


def updated_file(client):
    """Returns the file that clients_test.cc writes: the items after the updates of the entities."""
    return os.path.abspath(os.path.join(ITEMS, f"{client}_updated.jsonl"))


def sort_sets(value):
    """Returns DynamoDB's JSON with all sets sorted, because a set has no order."""
    if isinstance(value, dict):
        return {
            name: sorted(inner) if name in SETS and isinstance(inner, list) else sort_sets(inner)
            for name, inner in value.items()
        }
    return [sort_sets(inner) for inner in value] if isinstance(value, list) else value


def read_lines(endpoint):
    """Returns a line of JSON for each item of the table of recorded items, in a fixed order."""
    items = recorded.send(endpoint, "Scan", {"TableName": recorded.RECORDED})["Items"]
    lines = [json.dumps({"Item": sort_sets(item)}, sort_keys=True) for item in items]
    return sorted(line + "\n" for line in lines)


def check(client, endpoint, record):
    """Returns the differences as messages. Instead writes the file if `record` is true."""
    lines = read_lines(endpoint)
    path = recorded_file(client)
    if record:
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(lines)
        return []
    with open(path, encoding="utf-8") as file:
        expected = file.readlines()
    return [
        f"{text} {os.path.relpath(path)}: {line.rstrip()}"
        for text, line in [("not in", line) for line in lines if line not in expected]
        + [("only in", line) for line in expected if line not in lines]
    ]
