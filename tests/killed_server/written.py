"""What a writer has written to a server, and what may be there after the server was killed."""

import dataclasses
import json


@dataclasses.dataclass(frozen=True)
class Write:
    """A request that writes.  `changes` are by key: the item that is there then, None for none."""

    operation: str
    request: dict
    changes: dict
    is_atomic: bool = True


def key_of(item):
    return item["PK"]["S"], item["SK"]["S"]


def applied(items, changes):
    """Items by key, with the changes made."""
    changed = items | changes
    return {key: item for key, item in changed.items() if item is not None}


class Written:
    """All that one writer has written.  One request at a time, so one at most is in doubt."""

    def __init__(self):
        self.items = {}  # by key: what was acknowledged
        self.under_way = None

    def begin(self, write):
        self.under_way = write

    def acknowledged(self):
        self.items = applied(self.items, self.under_way.changes)
        self.under_way = None

    def faults(self, found):
        """What is wrong with the items found, by key, a line each."""
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
        """What was found is what later requests build on."""
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
