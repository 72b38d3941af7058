"""Random PartiQL statements and their parameters."""

import base64
import re

# The attributes of the items, and the types of most of their values.
TYPES = {"v": "N", "s": "S", "b": "BOOL", "nu": "NULL", "ss": "SS", "ns": "NS", "l": "S", "g": "S"}
PATHS = ["m.x", "m.y[0]", "m.y[1]", "m['x']", "m.z", "li[0]", "li[1].k", "m", "li", "nosuch", "bin"]
STRINGS = ["a", "b", "str", "str1", "str3", "it's", "", "p", "q", "\u00e9", "a b", "y0", 'say "x"']
NUMBERS = ["0", "1", "2", "3", "4", "10", "20", "30", "-1", "1.5", ".5", "1e1", "1.50", "007"]
WRONG_NUMBERS = ["1" * 39, "1e126", "0x10", "1_000", "1e-131"]
IS_TYPES = (
    "MISSING NULL BOOLEAN BOOL BLOB STRING NUMERIC STRUCT TUPLE LIST MISSING NULL INTEGER".split()
)
TYPE_NAMES = ["S", "N", "BS", "L", "B", "NULL", "M", "SS", "NS", "BOOL", "X", "s"]
COMPARATORS = ["=", "=", "=", "<>", "!=", "<", "<=", ">", ">="]
TOKENS = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|\w+|<<|>>|<=|>=|<>|!=|\s+|.", re.S)
FAULTS = (
    "( ) , . ; ? = == < << >> [ ] { } : + * || ' \" ` AND OR NOT FROM WHERE SET SELECT NULL MISSING "
    "1 'a' date value count LIMIT AS RETURNING IN IS BETWEEN size foo(v) -- /*"
).split()


def string(text):
    return "'" + text.replace("'", "''") + "'"


def literal(value):
    """Returns a value as the text of a literal. B and BS have no literals."""
    kind, inner = next(iter(value.items()))
    if kind == "S":
        return string(inner)
    if kind == "N":
        return inner
    if kind == "BOOL":
        return "true" if inner else "false"
    if kind == "NULL":
        return "NULL"
    if kind == "SS":
        return "<<" + ",".join(map(string, inner)) + ">>"
    if kind == "NS":
        return "<<" + ",".join(inner) + ">>"
    if kind == "L":
        return "[" + ", ".join(map(literal, inner)) + "]"
    if kind == "M":
        return "{" + ", ".join(f"{string(k)}: {literal(v)}" for k, v in inner.items()) + "}"
    raise ValueError(kind)


def binary(data):
    return {"B": base64.b64encode(data).decode()}


class Statement:
    """A generator of one statement. Its parts must be generated from left to right.

    The request binds the parameters in the order of their appearance.
    """

    def __init__(self, rng):
        self.rng = rng
        self.parameters = []
        self.bind_chance = rng.choice([0, 0, 0.3, 1])

    # ---- Values ----

    def value(self, value):
        """Returns a literal or a parameter."""
        if next(iter(value)) in ("B", "BS") or self.rng.random() < self.bind_chance:
            self.parameters.append(value)
            return "?"
        return literal(value)

    def of_type(self, kind):
        rng = self.rng
        if kind == "N":
            wrong = rng.random() < 0.01
            return {"N": rng.choice(WRONG_NUMBERS if wrong else NUMBERS)}
        if kind == "BOOL":
            return {"BOOL": rng.random() < 0.5}
        if kind == "NULL":
            return {"NULL": True}
        if kind == "SS":
            return {"SS": rng.sample(["p", "q", "r"], rng.randint(1, 3))}
        if kind == "NS":
            return {"NS": rng.sample(["1", "2", "3.5"], rng.randint(1, 3))}
        if kind == "L":
            return {"L": [self.any() for _ in range(rng.randint(0, 2))]}
        if kind == "M":
            names = rng.sample(["x", "y", "k", "select", "a.b"], rng.randint(0, 2))
            return {"M": {name: self.any() for name in names}}
        if kind == "B":
            return binary(rng.choice([b"", b"a", b"\xff\x00"]))
        return {"S": rng.choice(STRINGS)}

    def any(self):
        return self.of_type(self.rng.choice(["S", "N"] * 4 + ["BOOL", "NULL", "SS", "L", "M"]))

    def fitting(self, path):
        """Returns a value that has mostly the type of the attribute."""
        kind = TYPES.get(path, "N" if path.endswith((".x", "'x']", "k")) else "S")
        return self.of_type(kind) if self.rng.random() < 0.9 else self.any()

    # ---- Conditions ----

    def path(self):
        roll = self.rng.random()
        if roll < 0.6:
            return self.rng.choice(list(TYPES))
        if roll < 0.65:
            return '"' + self.rng.choice(list(TYPES)) + '"'
        return self.rng.choice(PATHS)

    def condition(self, depth=2):
        rng = self.rng
        roll = rng.random()
        if depth > 0 and roll < 0.15:
            return f"{self.condition(depth - 1)} AND {self.condition(depth - 1)}"
        if depth > 0 and roll < 0.28:
            return f"({self.condition(depth - 1)} OR {self.condition(depth - 1)})"
        if depth > 0 and roll < 0.34:
            return f"NOT {self.condition(depth - 1)}"
        if depth > 0 and roll < 0.38:
            return f"({self.condition(depth - 1)})"
        return rng.choice(
            [self.compares] * 5
            + [self.between, self.is_in, self.is_type, self.is_type, self.function, self.size]
        )()

    def compares(self):
        path = self.path()
        value = self.fitting(path)
        operator = self.rng.choice(COMPARATORS)
        if self.rng.random() < 0.15:
            return f"{self.value(value)} {operator} {path}"
        return f"{path} {operator} {self.value(value)}"

    def between(self):
        path = self.path()
        low, high = self.fitting(path), self.fitting(path)
        if self.rng.random() < 0.8 and low.keys() == high.keys() == {"S"}:
            low, high = sorted((low, high), key=lambda value: value["S"].encode())
        negated = self.rng.choice(["", "", "NOT "])
        return f"{path} {negated}BETWEEN {self.value(low)} AND {self.value(high)}"

    def is_in(self):
        path = self.path()
        negated = self.rng.choice(["", "", "NOT "])
        members = [self.value(self.fitting(path)) for _ in range(self.rng.choice([0, 1, 1, 2, 3]))]
        brackets = self.rng.choice(["[]", "()"])
        return f"{path} {negated}IN {brackets[0]}{', '.join(members)}{brackets[1]}"

    def is_type(self):
        return f"{self.path()} IS {self.rng.choice(['', 'NOT '])}{self.rng.choice(IS_TYPES)}"

    def function(self):
        rng = self.rng
        name = rng.choice(["begins_with", "begins_with", "contains", "contains", "attribute_type"])
        path = self.path()
        if name == "attribute_type":
            return f"attribute_type({path}, {self.value({'S': rng.choice(TYPE_NAMES)})})"
        value = {"S": rng.choice(["s", "str", "p", "y", ""])} if rng.random() < 0.8 else self.any()
        return f"{name}({path}, {self.value(value)})"

    def size(self):
        operator = self.rng.choice(COMPARATORS)
        return f"size({self.path()}) {operator} {self.value(self.of_type('N'))}"

    # ---- Clauses ----

    def columns(self):
        rng = self.rng
        if rng.random() < 0.4:
            return "*"
        names = ["pk", "sk", *TYPES, *PATHS]
        return ", ".join(rng.choice(names) for _ in range(rng.choice([1, 1, 2, 2, 3])))

    def assignment(self):
        """Returns an assignment of SET."""
        rng = self.rng
        path = rng.choice([*TYPES, *TYPES, *PATHS, "fresh", "m.fresh", "li[9]"])
        if rng.random() < 0.01:
            path = rng.choice(["pk", "sk", "id"])
        roll = rng.random()
        if roll < 0.5:
            text = self.value(self.fitting(path))
        elif roll < 0.65:
            text = f"v {rng.choice('+-')} {self.value(self.of_type('N'))}"
        elif roll < 0.72:
            text = f"if_not_exists({self.path()}, {self.value(self.any())})"
        elif roll < 0.8:
            path = rng.choice(["li", "m.y", "fresh"])
            text = f"list_append({path}, {self.value(self.of_type('L'))})"
        elif roll < 0.9:
            path = rng.choice(["ss", "ss", "fresh", "v"])
            name = rng.choice(["set_add", "set_delete"])
            text = f"{name}({path}, {self.value(self.of_type('SS'))})"
        else:
            text = self.path()
        return f"{path} = {text}"

    def update(self):
        rng = self.rng
        clauses = []
        for _ in range(rng.choice([1, 1, 2, 3])):
            if rng.random() < 0.3:
                clauses.append(f"REMOVE {rng.choice([*TYPES, *PATHS])}")
            else:
                count = rng.choice([1, 1, 2])
                clauses.append("SET " + ", ".join(self.assignment() for _ in range(count)))
        return " ".join(clauses)

    def returning(self, choices):
        return f" RETURNING {self.rng.choice(choices)}" if self.rng.random() < 0.5 else ""

    # ---- Requests ----

    def request(self, text, faults=0.0):
        """Returns the members Statement and Parameters.

        `faults` is the probability of a fault in the text.
        """
        rng = self.rng
        if rng.random() < faults:
            text = spoil(rng, text)
        if rng.random() < 0.1:
            text = restyle(rng, text)
        parameters = list(self.parameters)
        if parameters and rng.random() < 0.02:
            parameters.pop()
        return {"Statement": text, **({"Parameters": parameters} if parameters else {})}


def spoil(rng, text):
    """Deletes, inserts, replaces or swaps tokens of a statement."""
    tokens = [token for token in TOKENS.findall(text) if not token.isspace()]
    for _ in range(rng.choice([1, 1, 1, 2])):
        at = rng.randrange(len(tokens))
        change = rng.choice(["delete", "insert", "replace", "swap"])
        if change == "delete" and len(tokens) > 1:
            del tokens[at]
        elif change == "insert":
            tokens.insert(at, rng.choice(FAULTS))
        elif change == "replace":
            tokens[at] = rng.choice(FAULTS)
        elif at + 1 < len(tokens):
            tokens[at], tokens[at + 1] = tokens[at + 1], tokens[at]
    return " ".join(tokens)


def restyle(rng, text):
    """Writes a statement differently without a change of its meaning."""
    style = rng.choice(["lower", "comment", "lines", "semicolon"])
    tokens = TOKENS.findall(text)
    if style == "lower":
        return "".join(token if token[0] in "'\"" else token.lower() for token in tokens)
    if style == "comment":
        return "".join("/* ' */ " if token == " " else token for token in tokens)
    if style == "lines":
        return "".join(" -- 'x'\n\t" if token == " " else token for token in tokens)
    return text + " ;"
