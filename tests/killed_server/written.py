"""A record of a writer's requests, and the items that the server may hold after a kill."""

import dataclasses
import json


@dataclasses.dataclass(frozen=True)
class Write:
    """A request that writes. `changes` maps each key to the new item, or to None for a delete."""

    operation: str
    request: dict
    changes: dict
    is_atomic: bool = True


def key_of(item):
    return item["PK"]["S"], item["SK"]["S"]


def applied(items, changes):
    """Returns the items by key after the changes."""
    changed = items | changes
    return {key: item for key, item in changed.items() if item is not None}


class Written:
    """The writes of one writer. It sends one request at a time, so at most one is unanswered."""

    def __init__(self):
        self.items = {}  # the acknowledged items by key
        self.under_way = None  # the request without an answer, if any

    def begin(self, write):
        self.under_way = write

    def acknowledged(self):
        self.items = applied(self.items, self.under_way.changes)
        self.under_way = None

    def faults(self, found):
        """Returns a Fault for each key whose item is not an expected item."""
        if self.under_way is None:
            return _differences(self.items, found)
        after = applied(self.items, self.under_way.changes)
        if self.under_way.is_atomic:
            if found == after:
                return []
            return _differences(self.items, found)
        in_doubt = self.under_way.changes
        return [
            fault
            for fault in _differences(self.items, found)
            if fault.key not in in_doubt or found.get(fault.key) != after.get(fault.key)
        ]

    def settle(self, found):
        """Replaces the expected items by `found`, the items that the server holds now."""
        self.items = found
        self.under_way = None


@dataclasses.dataclass(frozen=True)
class Fault:
    key: tuple
    expected: dict | None
    found: dict | None

    def __str__(self):
        return f"{self.key}: expected {_shown(self.expected)}, found {_shown(self.found)}"


def _differences(expected, found):
    return [
        Fault(key, expected.get(key), found.get(key))
        for key in sorted(expected.keys() | found.keys())
        if expected.get(key) != found.get(key)
    ]


def _shown(item):
    text = json.dumps(item)
    return text if len(text) < 200 else f"{text[:200]}..."
