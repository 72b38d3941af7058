"""Random expressions of DynamoDB's five kinds. Most of the expressions fit a stored item."""

import generate_paths as paths
import generate_values as values

COMPARATORS = ["=", "=", "<>", "<", "<=", ">", ">="]
ORDERED = ("S", "N", "B")
SIZED = ("S", "B", "SS", "NS", "BS", "L", "M")


def keyword(rng, text):
    return text if rng.random() < 0.95 else text.lower()


# ---- Conditions and filters ----


def operand(rng, item, holders, kinds=None):
    """Returns a path. In rare cases returns a value placeholder or a size() instead."""
    roll = rng.random()
    if roll < 0.86:
        return holders.path(paths.path(rng, item, kinds))
    if roll < 0.92:
        return f"size({holders.path(paths.path(rng, item, SIZED))})"
    if roll < 0.95:
        return f"({holders.path(paths.path(rng, item, kinds))})"
    return holders.value(values.value(rng))


def other_operand(rng, item, holders, path):
    """Returns an operand to compare a path with, mostly a value similar to the path's value."""
    roll = rng.random()
    if roll < 0.15:
        return operand(rng, item, holders)
    old = paths.look_up(item.attributes, path)
    return holders.value(values.near(rng, old) if old else values.value(rng))


def comparison(rng, item, holders):
    comparator = rng.choice(COMPARATORS)
    kinds = None if comparator in ("=", "<>") else ORDERED
    roll = rng.random()
    if roll < 0.12:
        size = holders.value({"N": str(rng.randint(0, 5))})
        left = f"size({holders.path(paths.path(rng, item, SIZED))})"
        return (
            f"{left} {comparator} {size}" if rng.random() < 0.8 else f"{size} {comparator} {left}"
        )
    if roll < 0.2:
        return f"{operand(rng, item, holders)} {comparator} {operand(rng, item, holders)}"
    path = paths.path(rng, item, kinds)
    left, right = holders.path(path), other_operand(rng, item, holders, path)
    if rng.random() < 0.15:
        left, right = right, left
    space = rng.choice([" ", " ", " ", ""])
    return f"{left}{space}{comparator}{space}{right}"


def between(rng, item, holders):
    path = paths.path(rng, item, ORDERED)
    old = paths.look_up(item.attributes, path) or values.value(rng)
    kind = next(iter(old))
    lower, upper = values.near(rng, old), values.near(rng, old)
    if kind in ("S", "B", "N") and rng.random() < 0.8:
        lower, upper = sorted(
            [values.value_of_type(rng, kind), values.value_of_type(rng, kind)],
            key=lambda v: float(v["N"]) if kind == "N" else next(iter(v.values())),
        )
    bounds = [holders.value(lower), holders.value(upper)]
    if rng.random() < 0.15:
        bounds[rng.randrange(2)] = operand(rng, item, holders)
    left = holders.path(path) if rng.random() < 0.9 else operand(rng, item, holders)
    return f"{left} {keyword(rng, 'BETWEEN')} {bounds[0]} {keyword(rng, 'AND')} {bounds[1]}"


def membership(rng, item, holders):
    path = paths.path(rng, item)
    choices = [other_operand(rng, item, holders, path) for _ in range(rng.choice([1, 1, 2, 3, 5]))]
    if rng.random() < 0.01:
        choices = [holders.value({"N": str(i)}) for i in range(rng.choice([99, 100, 101]))]
    return f"{holders.path(path)} {keyword(rng, 'IN')} ({', '.join(choices)})"


def type_function(rng, item, holders):
    path = paths.path(rng, item)
    old = paths.look_up(item.attributes, path)
    kind = next(iter(old)) if old and rng.random() < 0.5 else rng.choice(values.TYPES)
    if rng.random() < 0.06:
        kind = rng.choice(["STRING", "", "s", "BOOLEAN"])
    argument = holders.value({"S": kind})
    roll = rng.random()
    if roll < 0.03:
        argument = holders.value(values.value(rng))
    elif roll < 0.05:
        argument = operand(rng, item, holders)
    return f"attribute_type({holders.path(path)}, {argument})"


def text_function(rng, item, holders):
    """Returns a call of begins_with or contains."""
    name = rng.choice(["begins_with", "contains"])
    kinds = ("S", "B") if name == "begins_with" else SIZED
    path = paths.path(rng, item, kinds)
    old = paths.look_up(item.attributes, path) or values.value_of_type(rng, rng.choice(["S", "B"]))
    kind, inner = next(iter(old.items()))
    argument = values.near(rng, old)
    if kind == "S" and rng.random() < 0.7:
        start = 0 if name == "begins_with" else rng.randint(0, len(inner))
        argument = {"S": inner[start : rng.randint(start, len(inner))]}
    if name == "contains" and kind in ("SS", "NS", "BS", "L") and inner and rng.random() < 0.8:
        member = rng.choice(inner)
        argument = member if kind == "L" else {kind[0]: member}
    if name == "begins_with" and next(iter(argument)) not in ("S", "B") and rng.random() < 0.9:
        argument = {"S": "a"}
    second = holders.value(argument) if rng.random() < 0.9 else operand(rng, item, holders)
    first = holders.path(path) if rng.random() < 0.93 else operand(rng, item, holders)
    return f"{name}({first}, {second})"


def existence(rng, item, holders):
    name = rng.choice(["attribute_exists", "attribute_exists", "attribute_not_exists"])
    return f"{name}({holders.path(paths.path(rng, item))})"


def misuse(rng, item, holders):
    """Returns an invalid function call: unknown, at a wrong place, or with wrong operands."""
    one, two = operand(rng, item, holders), operand(rng, item, holders)
    return rng.choice(
        [
            f"size({one})",
            f"size({one}, {two}) = {one}",
            f"Size({one}) = {two}",
            f"unknown({one})",
            f"attribute_exists({one}, {two})",
            f"attribute_exists({holders.value({'S': 'a'})})",
            f"contains({one})",
            f"contains({one}, {two}, {one})",
            f"begins_with({one})",
            f"attribute_type({one})",
            f"attribute_exists(size({one}))",
            f"contains(size({one}), {two})",
            f"attribute_exists({one}) = {two}",
            f"size(size({one})) = {two}",
            f"size(attribute_exists({one})) = {two}",
            f"if_not_exists({one}, {two}) = {one}",
            f"list_append({one}, {two}) = {one}",
            f"{one} = {two} = {one}",
            f"attribute_not_exists({one}) AND size({two})",
            f"begins_with({one}, size({two}))",
            f"contains({one}, attribute_exists({two}))",
            f"({one})",
            f"NOT {one}",
            f"{one} IN ()",
            f"{one} IN {two}",
            f"{one} BETWEEN {two}",
            f"size() = {one}",
            f"{one} = {one}",
            f"attribute_type({holders.value({'S': 'a'})}, {holders.value({'S': 'S'})})",
            f"size({holders.value(values.value(rng))}) > {two}",
        ]
    )


def primary(rng, item, holders):
    roll = rng.random()
    for share, make in (
        (0.40, comparison),
        (0.12, between),
        (0.10, membership),
        (0.14, existence),
        (0.08, type_function),
        (0.145, text_function),
    ):
        if roll < share:
            return make(rng, item, holders)
        roll -= share
    return misuse(rng, item, holders)


def condition(rng, item, holders, depth=0):
    roll = rng.random()
    if depth >= 3 or roll < 0.55:
        return primary(rng, item, holders)
    inner = condition(rng, item, holders, depth + 1)
    if roll < 0.65:
        return f"{keyword(rng, 'NOT')} {inner}"
    if roll < 0.75:
        return f"({inner})"
    other = condition(rng, item, holders, depth + 1)
    return f"{inner} {keyword(rng, rng.choice(['AND', 'OR']))} {other}"


# ---- Updates ----


def set_operand(rng, item, holders, kinds, depth=0):
    roll = rng.random()
    if roll < 0.45:
        kind = rng.choice(kinds) if rng.random() < 0.95 else rng.choice(values.TYPES)
        return holders.value(values.value_of_type(rng, kind))
    if roll < 0.75 or depth > 1:
        return holders.path(paths.path(rng, item, kinds))
    if roll < 0.78:
        return f"({set_operand(rng, item, holders, kinds, depth + 1)})"
    if roll < 0.995:
        fallback = set_operand(rng, item, holders, kinds, depth + 1)
        return f"if_not_exists({holders.path(paths.path(rng, item, kinds))}, {fallback})"
    return list_append(rng, item, holders, depth + 1)


def list_append(rng, item, holders, depth=0):
    one, two = (set_operand(rng, item, holders, ["L"], depth + 1) for _ in range(2))
    return f"list_append({one}, {two})"


def set_misuse(rng, item, holders):
    one, two = (set_operand(rng, item, holders, ["N"]) for _ in range(2))
    return rng.choice(
        [
            f"{one} + {two} + {one}",
            f"if_not_exists({one})",
            f"if_not_exists({one}, {two}, {one})",
            f"list_append({one})",
            f"list_append({one}, {two}, {one})",
            f"if_not_exists({holders.value({'N': '1'})}, {one})",
            f"size({one})",
            f"Upper({one})",
            f"attribute_exists({one})",
            f"contains({one}, {two})",
            f"({one} + {two})",
            f"(({one}))",
            f"({one}) + {two}",
            f"list_append({one} + {two}, {one})",
            f"if_not_exists(if_not_exists({one}, {two}), {one})",
            f"{one} * {two}",
            f"-{one}",
        ]
    )


def set_value(rng, item, holders):
    roll = rng.random()
    if roll < 0.45:
        return set_operand(rng, item, holders, values.TYPES)
    if roll < 0.75:
        one, two = (set_operand(rng, item, holders, ["N"]) for _ in range(2))
        return f"{one} {rng.choice('+-')} {two}"
    if roll < 0.95:
        return list_append(rng, item, holders)
    return set_misuse(rng, item, holders)


def target(rng, item, holders, taken, kinds=None):
    """Returns a path to change. It rarely conflicts with the paths that were chosen before."""
    for _ in range(6):
        path = paths.path(rng, item, kinds)
        if rng.random() < 0.3 and kinds is None:
            path = [values.attribute_name(rng)]
        clash = any(
            path[: len(t)] == t[: len(path)]
            or (len(t) > 0 and path[0] == t[0] and rng.random() < 0.3)
            for t in taken
        )
        if not clash or rng.random() < 0.04:
            break
    else:
        path = [f"fresh{len(taken)}"]
    taken.append(path)
    return holders.path(path), path


def set_action(rng, item, holders, taken):
    text, _ = target(rng, item, holders, taken)
    return f"{text} = {set_value(rng, item, holders)}"


def remove_action(rng, item, holders, taken):
    return target(rng, item, holders, taken)[0]


def add_action(rng, item, holders, taken):
    kinds = ["N", "SS", "NS", "BS"]
    text, path = target(rng, item, holders, taken, kinds)
    return f"{text} {set_member(rng, item, holders, path, kinds)}"


def delete_action(rng, item, holders, taken):
    kinds = ["SS", "NS", "BS"]
    text, path = target(rng, item, holders, taken, kinds)
    return f"{text} {set_member(rng, item, holders, path, kinds)}"


def set_member(rng, item, holders, path, kinds):
    old = paths.look_up(item.attributes, path)
    kind = next(iter(old)) if old else None
    if kind not in kinds or rng.random() < 0.1:
        kind = rng.choice(kinds) if rng.random() < 0.9 else rng.choice(values.TYPES)
    value = values.value_of_type(rng, kind)
    if old and kind in ("SS", "NS", "BS") and kind in old and rng.random() < 0.6:
        value = {kind: rng.sample(old[kind], rng.randint(1, len(old[kind])))}
    return holders.value(value)


SECTIONS = {"SET": set_action, "REMOVE": remove_action, "ADD": add_action, "DELETE": delete_action}


def section_names(rng):
    names = rng.sample(list(SECTIONS), rng.choice([1, 1, 1, 2, 2, 3, 4]))
    if "SET" not in names and rng.random() < 0.4:
        names[0] = "SET"
    if rng.random() < 0.02:
        names.append(names[0])
    return names


def update(rng, item, holders, names=None):
    """Returns an update with the sections of `names`, or with random sections."""
    taken = []
    sections = []
    names = names or section_names(rng)
    for name in names:
        count = rng.choice([1, 1, 1, 2, 2, 3])
        actions = [SECTIONS[name](rng, item, holders, taken) for _ in range(count)]
        sections.append(f"{keyword(rng, name)} {', '.join(actions)}")
    return " ".join(sections)


# ---- Projections ----


def projection(rng, item, holders):
    taken = []
    texts = []
    for _ in range(rng.choice([1, 1, 2, 2, 3, 4])):
        texts.append(target(rng, item, holders, taken)[0])
    return rng.choice([", ", ","]).join(texts)


# ---- Key conditions ----


def key_operand(rng, holders, kind, pool):
    if pool and rng.random() < 0.7:
        return holders.value(rng.choice(pool))
    return holders.value(
        values.value_of_type(rng, kind if rng.random() < 0.95 else rng.choice(values.TYPES))
    )


def sort_condition(rng, holders, name, kind, pool):
    path = holders.path([name])
    roll = rng.random()
    if roll < 0.55:
        one = key_operand(rng, holders, kind, pool)
        comparator = rng.choice(["=", "<", "<=", ">", ">="] if rng.random() < 0.97 else ["<>"])
        return f"{path} {comparator} {one}" if rng.random() < 0.85 else f"{one} {comparator} {path}"
    if roll < 0.75:
        bounds = [key_operand(rng, holders, kind, pool) for _ in range(2)]
        return f"{path} {keyword(rng, 'BETWEEN')} {bounds[0]} AND {bounds[1]}"
    if roll < 0.97 and (kind != "N" or rng.random() < 0.1):
        old = rng.choice(pool) if pool else values.value_of_type(rng, kind)
        prefix = {"S": old["S"][: rng.randint(0, len(old["S"]))]} if "S" in old else old
        return f"begins_with({path}, {holders.value(prefix)})"
    one, two = (key_operand(rng, holders, kind, pool) for _ in range(2))
    return rng.choice(
        [
            f"{path} IN ({one})",
            f"NOT {path} = {one}",
            f"contains({path}, {one})",
            f"attribute_exists({path})",
            f"size({path}) = {one}",
            f"{one} BETWEEN {path} AND {two}",
            f"begins_with({one}, {path})",
            f"{one} = {two}",
            f"{path} = {path}",
            f"{path} = {holders.path(['a'])}",
            f"{path}.a = {one}",
            f"{path}[0] = {one}",
            f"attribute_type({path}, {one})",
            f"begins_with({path}, size({path}))",
            f"begins_with({path})",
            f"unknown({path})",
            f"{path} = {one} OR {path} = {two}",
            f"({path}) = {one}",
            f"size({path})",
            f"begins_with({path}, {one}, {two})",
        ]
    )


def key_condition(rng, holders, schema, partition, pool):
    """Returns a key condition for a schema of one or two keys. `pool` has possible sort keys."""
    name, kind = schema[0]
    token = holders.value(
        partition
        if rng.random() < 0.96
        else values.value_of_type(rng, rng.choice(["S", "N", kind]))
    )
    hash_name = holders.path([name])
    equals = f"{hash_name} = {token}" if rng.random() < 0.9 else f"{token} = {hash_name}"
    if rng.random() < 0.02:
        equals = f"{hash_name} {rng.choice(['<', '>=', '<>'])} {token}"
    terms = [equals]
    if (len(schema) > 1 and rng.random() < 0.75) or rng.random() < 0.03:
        terms.append(
            sort_condition(rng, holders, *(schema[1] if len(schema) > 1 else ("sk", "S")), pool)
        )
    if rng.random() < 0.015:
        terms.append(sort_condition(rng, holders, *rng.choice([schema[-1], ("a", "S")]), pool))
    if len(terms) > 1 and rng.random() < 0.02:
        terms.pop(0)
    terms = [f"({t})" if rng.random() < 0.06 else t for t in terms]
    rng.shuffle(terms)
    text = f" {keyword(rng, 'AND' if rng.random() < 0.99 else 'OR')} ".join(terms)
    return f"({text})" if rng.random() < 0.04 else text
