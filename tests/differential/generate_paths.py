"""Random document paths into an item, and their text in expressions."""

import re

import generate_values as values

BARE = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
TOKEN = re.compile(r"[#:]\w+")
RESERVED = {"status", "name", "size", "list", "year", "data", "count", "value"}  # some of 573


def walk(attributes, limit=60):
    """Returns all pairs (path, value) of an item. A path is a list of names and indexes."""
    found = []

    def visit(path, value):
        if len(found) >= limit:
            return
        found.append((path, value))
        kind, inner = next(iter(value.items()))
        if kind == "M":
            for name, element in inner.items():
                visit(path + [name], element)
        elif kind == "L":
            for i, element in enumerate(inner):
                visit(path + [i], element)

    for name, value in attributes.items():
        visit([name], value)
    return found


def look_up(attributes, path):
    """Returns the value at a path, or None."""
    value = {"M": attributes}
    for step in path:
        inner = value.get("M" if isinstance(step, str) else "L")
        if inner is None or (isinstance(step, str) and step not in inner):
            return None
        if isinstance(step, int) and step >= len(inner):
            return None
        value = inner[step]
    return value


def step(rng):
    return (
        rng.choice(values.MAP_NAMES)
        if rng.random() < 0.6
        else rng.choice([0, 0, 1, 1, 2, 3, 7, 100])
    )


def existing(rng, item, kinds=None):
    """Returns a path of the item to a value of one of the types, or None."""
    found = [path for path, value in item.paths if kinds is None or next(iter(value)) in kinds]
    return list(rng.choice(found)) if found else None


def path(rng, item, kinds=None):
    """Returns a path. Most of the returned paths exist in the item."""
    roll = rng.random()
    if roll < 0.75:
        found = existing(rng, item, kinds) or existing(rng, item)
        if found:
            return found
    if roll < 0.9:
        found = existing(rng, item)
        if found:
            return found[: rng.randint(1, len(found))] + [step(rng)]
    return [values.attribute_name(rng)] + [step(rng) for _ in range(rng.choice([0, 0, 0, 1, 2]))]


class Placeholders:
    """The names and values that the expressions of one request use."""

    def __init__(self, rng):
        self.rng = rng
        self.names = {}
        self.values = {}

    def name(self, text):
        for token, known in self.names.items():
            if known == text and self.rng.random() < 0.8:
                return token
        token = self.rng.choice(["#n", "#N_", "#"]) + str(len(self.names))
        self.names[token] = text
        return token

    def value(self, value):
        for token, known in self.values.items():
            if known == value and self.rng.random() < 0.5:
                return token
        token = self.rng.choice([":v", ":V_", ":"]) + str(len(self.values))
        self.values[token] = value
        return token

    def path(self, steps):
        text = ""
        for i, step in enumerate(steps):
            if isinstance(step, int):
                text += f"[{step}]"
                continue
            bare = BARE.match(step) and step.lower() not in RESERVED
            text += "." if i > 0 else ""
            text += step if bare and self.rng.random() < 0.85 else self.name(step)
        return text

    def add_to(self, request):
        """Adds to the request the names and values of the placeholders in its expressions."""
        used = {
            token
            for member, text in request.items()
            if member.endswith("Expression")
            for token in TOKEN.findall(text)
        }
        for member, entries in (
            ("ExpressionAttributeNames", self.names),
            ("ExpressionAttributeValues", self.values),
        ):
            found = {token: entry for token, entry in entries.items() if token in used}
            if found:
                request[member] = found
        return request


class Item:
    """An item for which expressions are generated."""

    def __init__(self, attributes):
        self.attributes = attributes
        self.paths = walk(attributes)
