"""A class for known differences, and patterns and predicates for the tables of differences."""

import re


class Difference:
    """A request to which Dolmen and a peer gave different answers, with both canonical answers."""

    def __init__(self, peer, operation, request, dolmen, other, before=()):
        self.peer = peer
        self.operation = operation
        self.request = request
        self.dolmen = dolmen
        self.other = other
        self.before = before  # the case's earlier requests, as (operation, request)


class Known:
    """A known kind of difference. `why` is the evidence for Dolmen's answer.

    `dolmen` and `other` match the complete texts of the answers.
    """

    def __init__(self, name, why, dolmen, other, where=lambda difference: True):
        self.name = name
        self.why = why
        self.dolmen = re.compile(dolmen, re.S)
        self.other = re.compile(other, re.S)
        self.where = where

    def holds(self, difference):
        return bool(
            self.dolmen.fullmatch(text(difference.dolmen))
            and self.other.fullmatch(text(difference.other))
            and self.where(difference)
        )


def text(answer):
    """Returns "success", or an error as "name: message". The name has no "Exception"."""
    if "error" not in answer:
        return "success"
    return f"{answer['error'].removesuffix('Exception')}: {answer['message']}"


# ---- Patterns that the entries share ----

# An error's message can have an envelope, or name the statement of a transaction. ENVELOPE matches both, and neither.
ENVELOPE = r"(1 validation error detected: )?(Validation failed in TransactStatements\[\d+\]: )?"
V = f"Validation: {ENVELOPE}"
OPV = V + "One or more parameter values were invalid: "
FAILED = "ConditionalCheckFailed: The conditional request failed"
CANCELED = "TransactionCanceled: .*"
SUCCESS = f"(success|{FAILED})"
ERROR = r"(?!success)\w+: .*"
ANY = ".*"
INVALID = V + "Invalid (Update|Condition|Filter|KeyCondition|Projection)Expression: "
RUNTIME = V + (
    "(The provided expression refers to an attribute that does not exist in the item|An operand "
    "in the "
    "update expression has an incorrect data type|The document path provided in the update "
    "expression is "
    "invalid for update|Attempting to store more than 38 .*|Number (over|under)flow.*|Type "
    "mismatch for "
    "attribute to update|Item size to update .*)"
)


def same_but(pattern):
    """Returns a function that compares the messages after removing all matches of `pattern`."""

    def where(difference):
        one, two = (
            re.sub(pattern, "", a.get("message", ""), flags=re.S)
            for a in (difference.dolmen, difference.other)
        )
        return one == two

    return where


def without(answer, member):
    return {k: v for k, v in answer.items() if k != member}


def only_differ_in(member):
    return lambda d: without(d.dolmen, member) == without(d.other, member)


def member(value, name, kind):
    """Returns a member of a JSON value, or an empty `kind`. The value can be damaged."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, kind) else kind()


def actions(operation, request):
    """Returns the actions of a transaction, or the request itself, as (kind, action)."""
    if operation != "TransactWriteItems":
        return [(operation, request)]
    items = member(request, "TransactItems", list)
    return [
        (kind, member(item, kind, dict))
        for item in items
        if isinstance(item, dict)
        for kind in item
    ]


def statements(request):
    """Returns the texts of all PartiQL statements of a request, without comments."""
    lists = [member(request, name, list) for name in ("Statements", "TransactStatements")]
    parts = [request, *(part for one in lists for part in one)]
    text = " ".join(member(part, "Statement", str) for part in parts)
    return re.sub(r"/\*.*?\*/|--[^\n]*", " ", text, flags=re.S)


def says(pattern):
    """Returns a function that searches a request's PartiQL statements."""
    pattern = re.compile(pattern, re.I | re.S)
    return lambda difference: pattern.search(statements(difference.request)) is not None


def follows_a_statement(difference):
    return any(statements(request) for _, request in difference.before)


def expressions(difference):
    parts = [part for _, part in actions(difference.operation, difference.request)]
    return " ".join(str(r[m]) for r in parts for m in r if m.endswith("Expression"))


def mentions(pattern):
    """Returns a function that searches a request's expressions."""
    return lambda difference: re.search(pattern, expressions(difference), re.I) is not None


def has(*members):
    """Returns a function that returns true if the request has one of the members."""
    return lambda difference: any(member in difference.request for member in members)


def follows(*members):
    """Returns a function that returns true after a request of the case with one of the members."""
    return lambda difference: any(
        member in request for _, request in difference.before for member in members
    )


def updates(operation, request):
    """Returns the updates of a request: those of a transaction, or the request itself."""
    return [part for kind, part in actions(operation, request) if kind in ("Update", "UpdateItem")]


def only_removes(update):
    """Returns true if the update has only REMOVE and DELETE actions, or only legacy DELETEs."""
    legacy, expression = update.get("AttributeUpdates"), update.get("UpdateExpression")
    if isinstance(legacy, dict) and legacy:
        return all(isinstance(u, dict) and u.get("Action") == "DELETE" for u in legacy.values())
    return isinstance(expression, str) and not re.search(
        r"(?<![#:.\w])(SET|ADD)\b", expression, re.I
    )


def stores(operation, request, key):
    """Returns true for a PutItem of the item with the key, false for a DeleteItem of the item.

    Returns None for a request that does neither.
    """
    if operation == "DeleteItem" and key and member(request, "Key", dict) == key:
        return False
    item = member(request, "Item", dict) if operation == "PutItem" else {}
    is_put = item and all(item.get(name) == value for name, value in key.items())
    return True if is_put else None


def may_lack(requests, key):
    """Returns true if the requests end without the item, as far as their conditions are not known."""
    stored = [one for one in (stores(*request, key) for request in requests) if one is not None]
    return not stored or not stored[-1]


def follows_removes_alone(difference):
    """Returns true after an update that only removes, of an item that the case has not put or has
    deleted.

    The update is the request itself, or an earlier request of its case.
    """
    requests = [*difference.before, (difference.operation, difference.request)]
    return any(
        only_removes(update)
        and may_lack(requests[:i], member(update, "Key", dict))
        for i, request in enumerate(requests)
        for update in updates(*request)
    )


def compares_numbers_of_a_set(difference):
    """Returns true if the case has a set of numbers, and looks for a number or changes a set."""
    case = str(difference.request) + str(difference.before)
    return "'NS'" in case and re.search("DELETE|ADD|CONTAINS", case, re.I) is not None


LEGACY_CONDITIONS = ("Expected", "KeyConditions", "QueryFilter", "ScanFilter")
EVALUATED = ("ConditionExpression", "FilterExpression", "KeyConditionExpression", "TransactItems")
