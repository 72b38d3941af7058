"""Random changes that make a request with expressions invalid."""

import re

import generate_values as values

TOKEN = re.compile(r"\s+|[#:]?\w+|<>|<=|>=|.", re.S)
STRAY = [
    "AND",
    "OR",
    "NOT",
    "(",
    ")",
    ",",
    ".",
    "[",
    "]",
    "[0]",
    "=",
    "<>",
    "<",
    ">=",
    "a",
    "n",
    ":v0",
    "#n0",
    "+",
    "-",
    "SET",
    "REMOVE",
    "ADD",
    "DELETE",
    "5",
    "BETWEEN",
    "IN",
    "size",
    "contains",
    "if_not_exists",
    "'",
    '"',
    "%",
    "\u00e9",
    "#",
    ":",
    "status",
    "()",
    "{",
    "!",
    "*",
    ";",
    "@",
]
EXPRESSIONS = [
    "ConditionExpression",
    "UpdateExpression",
    "FilterExpression",
    "KeyConditionExpression",
    "ProjectionExpression",
]


def mutate(rng, text):
    """Deletes, inserts, duplicates, replaces or swaps a token of an expression."""
    tokens = TOKEN.findall(text)
    at = rng.randrange(len(tokens))
    roll = rng.random()
    if roll < 0.3:
        del tokens[at]
    elif roll < 0.55:
        tokens.insert(at, f" {rng.choice(STRAY)} ")
    elif roll < 0.65:
        tokens.insert(at, " " + tokens[at])
    elif roll < 0.8:
        tokens[at] = rng.choice(STRAY)
    elif roll < 0.9:
        other = rng.randrange(len(tokens))
        tokens[at], tokens[other] = tokens[other], tokens[at]
    else:
        tokens = tokens[:at]
    return "".join(tokens) or "a"


def space_out(rng, text):
    """Returns the text with other white space between its tokens."""
    tokens = [t for t in TOKEN.findall(text) if not t.isspace()]
    return "".join(t + rng.choice([" ", " ", "  ", "\n", "\t", "\r\n"]) for t in tokens)


def undefine(rng, request):
    member = rng.choice(["ExpressionAttributeNames", "ExpressionAttributeValues"])
    if request.get(member):
        entries = dict(request[member])
        del entries[rng.choice(list(entries))]
        request[member] = entries
        if not entries:
            del request[member]


def add_unused(rng, request):
    if rng.random() < 0.5:
        names = request.get("ExpressionAttributeNames", {})
        request["ExpressionAttributeNames"] = {
            **names,
            **{f"#unused{i}": "a" for i in range(rng.randint(1, 2))},
        }
    else:
        entries = request.get("ExpressionAttributeValues", {})
        request["ExpressionAttributeValues"] = {
            **entries,
            **{f":unused{i}": values.value(rng) for i in range(rng.randint(1, 2))},
        }


def add_bad_token(rng, request):
    bad = rng.choice(["", "a", "#", ":", "#a-b", ":a b", "##a", "#\u00fc", "v0", "n0", "#n0.a"])
    if rng.random() < 0.5:
        request["ExpressionAttributeNames"] = {
            **request.get("ExpressionAttributeNames", {}),
            bad: "a",
        }
    else:
        request["ExpressionAttributeValues"] = {
            **request.get("ExpressionAttributeValues", {}),
            bad: {"S": "a"},
        }


def add_bad_value(rng, request):
    entries = request.get("ExpressionAttributeValues", {})
    name = rng.choice([*entries, ":bad"])
    request["ExpressionAttributeValues"] = {**entries, name: rng.choice([{"SS": []}, {"BS": []}])}


def reserve(rng, request, member):
    request[member] = re.sub(
        r"\b(n|s|x|a|l|m|t|k)\b",
        rng.choice(["status", "Name", "YEAR", "data", "size", "count", "items", "_u", "_", "1st"]),
        request[member],
        count=1,
    )


def inject(rng, request):
    """Puts one fault into a request that has an expression."""
    members = [m for m in EXPRESSIONS if m in request]
    if not members:
        return
    member = rng.choice(members)
    roll = rng.random()
    if roll < 0.5:
        request[member] = mutate(rng, request[member])
    elif roll < 0.6:
        request[member] = space_out(rng, request[member])
    elif roll < 0.72:
        undefine(rng, request)
    elif roll < 0.82:
        add_unused(rng, request)
    elif roll < 0.87:
        add_bad_token(rng, request)
    elif roll < 0.9:
        add_bad_value(rng, request)
    elif roll < 0.97:
        reserve(rng, request, member)
    else:
        del request[member]
