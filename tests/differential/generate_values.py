"""Random attribute values and items in DynamoDB's JSON."""

import base64
from decimal import Decimal

NINES = "9" * 38
NUMBERS = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "5",
    "10",
    "-7",
    "1.5",
    "0.1",
    "0.25",
    "-0.5",
    "100",
    "42",
    "1000000",
    "-0",
    "0.00",
    "007",
    "1.50",
    "10e-1",
    "1E3",
    "+3",
    "1e-003",
    "-0015.789e6",
    "1E-130",
    "-1E-130",
    "9.99E125",
    "-9.99E125",
    "1E125",
    "9.9999999999999999999999999999999999999E+125",
    "-9.9999999999999999999999999999999999999E+125",
    NINES,
    "-" + NINES,
    "0." + NINES,
    "1234567890123456789.0123456789012345678",
    "1" + "0" * 100,
    "0." + "0" * 90 + "1",
]
BAD_NUMBERS = [
    "",
    " ",
    "a",
    "1a",
    "NaN",
    "Infinity",
    "0x10",
    "1_000",
    "1,5",
    "--1",
    "1e",
    "e1",
    "1.2.3",
    " 1",
    "1 ",
    "1E126",
    "-1E126",
    "1E-131",
    "1" * 39,
    "0." + "1" * 39,
    "1E400",
    ".",
]
STRINGS = [
    "",
    "a",
    "ab",
    "abc",
    "abd",
    "b",
    "B",
    "a b",
    "0",
    "10",
    "9",
    "S",
    "N",
    "\u00e9",
    "e\u0301",
    "\u00bf",
    "\u65e5\u672c",
    "\U0001f600",
    "a\U0001f600",
    "\ue000",
    "\uffee",
    "\U00010000",
    '\t\n"\\',
    "x" * 40,
]
BINARIES = [
    b"",
    b"\x00",
    b"a",
    b"ab",
    b"abc",
    b"\xff",
    b"\xff\x00",
    b"\x7f\x80",
    b"a\x00b",
    bytes(range(20)),
]

SCALARS = ["S", "N", "B", "BOOL", "NULL"]
TYPES = SCALARS + ["M", "L", "SS", "NS", "BS"]

# Maps an attribute's name to the type of most of its values, so that most expressions fit.
# Attributes that are not in this map have values of any type.
TYPED_NAMES = {
    "n": "N",
    "k": "N",
    "s": "S",
    "t": "S",
    "b": "B",
    "l": "L",
    "ll": "L",
    "m": "M",
    "mm": "M",
    "ss": "SS",
    "ns": "NS",
    "bs": "BS",
    "bool_": "BOOL",
    "nul": "NULL",
}
ANY_NAMES = ["x", "y", "z", "a", "c", "_u"]
# Names that an expression can write only with a placeholder.
AWKWARD_NAMES = [
    "status",
    "Name",
    "with space",
    "with.dot",
    "l[0]",
    "\u00fc",
    "\U0001f600",
    "#hash",
    ":colon",
    "1st",
    "-",
]
MAP_NAMES = ["a", "c", "n", "s", "l", "m", "x", "with.dot", "size", "\u00fc"]


def encode(data):
    return base64.b64encode(data).decode()


def number(rng):
    kind = rng.random()
    if kind < 0.4:
        return str(rng.randint(-5, 20))
    if kind < 0.7:
        return rng.choice(NUMBERS)
    if kind < 0.85:
        return f"{rng.randint(-10**6, 10**6)}e{rng.randint(-8, 8)}"
    digits = "".join(rng.choice("0123456789") for _ in range(rng.randint(1, 37)))
    return f"{rng.choice(['', '-'])}{rng.randint(1, 9)}{digits}E{rng.randint(-92, 88)}"


def string(rng):
    if rng.random() < 0.7:
        return rng.choice(STRINGS)
    return "".join(rng.choice("abcxyz \u00e9\U0001f600") for _ in range(rng.randint(1, 8)))


def binary(rng):
    if rng.random() < 0.7:
        return encode(rng.choice(BINARIES))
    return encode(bytes(rng.randrange(256) for _ in range(rng.randint(1, 6))))


def members(rng, make, identity):
    """Returns one to four distinct members of a set."""
    found = {}
    for _ in range(rng.randint(1, 4)):
        member = make(rng)
        found.setdefault(identity(member), member)
    return list(found.values())


def value_of_type(rng, kind, depth=0):
    if kind == "S":
        return {"S": string(rng)}
    if kind == "N":
        return {"N": number(rng)}
    if kind == "B":
        return {"B": binary(rng)}
    if kind == "BOOL":
        return {"BOOL": rng.random() < 0.5}
    if kind == "NULL":
        return {"NULL": True}
    if kind == "SS":
        return {"SS": members(rng, string, lambda m: m)}
    if kind == "NS":
        return {"NS": members(rng, number, Decimal)}
    if kind == "BS":
        return {"BS": members(rng, binary, lambda m: m)}
    if kind == "L":
        return {"L": [value(rng, depth + 1) for _ in range(rng.randint(0, 4))]}
    names = rng.sample(MAP_NAMES, rng.randint(0, 4))
    return {"M": {name: value(rng, depth + 1) for name in names}}


def value(rng, depth=0):
    return value_of_type(rng, rng.choice(SCALARS + ["S", "N"] if depth >= 3 else TYPES), depth)


def attribute(rng, name):
    kind = TYPED_NAMES.get(name)
    if kind is None or rng.random() < 0.1:
        return value(rng)
    return value_of_type(rng, kind)


def attribute_name(rng):
    roll = rng.random()
    if roll < 0.7:
        return rng.choice(list(TYPED_NAMES))
    return rng.choice(ANY_NAMES if roll < 0.9 else AWKWARD_NAMES)


def attributes(rng, most=8):
    names = {attribute_name(rng) for _ in range(rng.randint(1, most))}
    return {name: attribute(rng, name) for name in sorted(names)}


def near(rng, old):
    """Returns `old`, a part of `old`, a value of the same type, or a value of any type."""
    roll = rng.random()
    if roll < 0.45:
        return old
    kind = next(iter(old))
    if roll < 0.55 and kind in ("SS", "NS", "BS") and len(old[kind]) > 1:
        return {kind: rng.sample(old[kind], len(old[kind]) - 1)}
    if roll < 0.6 and kind == "S":
        return {"S": old["S"][: rng.randint(0, len(old["S"]))]}
    if roll < 0.6 and kind == "L" and old["L"]:
        return rng.choice(old["L"])
    if roll < 0.6 and kind in ("SS", "NS", "BS"):
        return {kind[0]: rng.choice(old[kind])}
    return value_of_type(rng, kind) if roll < 0.9 else value(rng)
