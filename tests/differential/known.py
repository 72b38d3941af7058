"""A class for known differences, and patterns and predicates for the tables of differences."""

import re


class Difference:
    """A request to which Dolmen and a peer gave different answers, with both canonical answers."""

    def __init__(self, peer, operation, request, dolmen, other, seconded, before=()):
        self.peer = peer
        self.operation = operation
        self.request = request
        self.dolmen = dolmen
        self.other = other
        self.seconded = seconded  # true if the second peer answers like Dolmen
        self.before = before  # the case's earlier requests, as (operation, request)


class Known:
    """A known kind of difference, in which Dolmen's answer is right. `why` is the evidence.

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


class Open(Known):
    """A known kind of difference for which no documentation and no peer shows the right answer."""


def text(answer):
    """Returns "success", or an error as "name: message". The name has no "Exception"."""
    if "error" not in answer:
        return "success"
    return f"{answer['error'].removesuffix('Exception')}: {answer['message']}"


# ---- Patterns that the entries share ----

V = "Validation: "
FAILED = "ConditionalCheckFailed: The conditional request failed"
ANY_SUCCESS = f"(success|{FAILED})"
INVALID = V + "Invalid (Update|Condition|Filter|KeyCondition|Projection)Expression: "
MISSING = "The provided expression refers to an attribute that does not exist in the item"
WRONG_TYPE = "An operand in the update expression has an incorrect data type"
WRONG_PATH = "The document path provided in the update expression is invalid for update"
DIGITS = "Attempting to store more than 38 significant digits in a Number"
OVERFLOW = (
    "Number overflow. Attempting to store a number with magnitude larger than supported range"
)
LOCAL_DIGITS = "DynamoDB only supports precision up to 38 digits"
LOCAL_NUMBER = (
    "(A value provided cannot be converted into a number|"
    + LOCAL_DIGITS
    + "|Number (over|under)flow.*)"
)
RUNTIME = (
    f"{V}({MISSING}|{WRONG_TYPE}|{WRONG_PATH}|{DIGITS}|{LOCAL_DIGITS}|"
    "Number overflow.*|Number underflow.*)"
)
SCALARS = V + "Key attributes must be scalars; .*"
KEY_SHAPE = V + (
    "(KeyConditionExpressions? .*|Invalid operator used in KeyConditionExpression.*|"
    "Invalid condition in KeyConditionExpression.*|Conditions can be of length.*)"
)
DISTINCT = INVALID + "The first operand must be distinct .*"
OPERAND_TYPE = INVALID + "Incorrect operand type for operator or function; .*"
BETWEEN = INVALID + "The BETWEEN operator requires .*"
CANCELED = "TransactionCanceled: .*"
WRONG_KEY = (
    "The provided key element does not match the schema|"
    "One or more parameter values were invalid: (Missing the key|Type mismatch for key) .*"
)

# READING matches errors in the syntax of an expression. BINDING matches errors in the placeholders
# and operands of an expression. DynamoDB does not document the order of these checks.
READING = INVALID + (
    "(Invalid function name|The function is not allowed|Attribute name is a reserved keyword|"
    'The "(SET|REMOVE|ADD|DELETE)" section|The document path has too many|The expression has '
    "redundant).*"
)
BINDING = INVALID + (
    "(An expression attribute (name|value) used|Incorrect (number of operands|operand type)|"
    "Operator or function requires|"
    "The first operand must be distinct|The (BETWEEN|IN) operator|Invalid attribute type name|Two "
    "document paths).*"
)
UNUSED = V + "Value provided in ExpressionAttribute(Names|Values) unused.*"


def same_but(pattern):
    """Returns a function that compares the messages after removing all matches of `pattern`."""

    def where(difference):
        one, two = (
            re.sub(pattern, "", a["message"], flags=re.S)
            for a in (difference.dolmen, difference.other)
        )
        return one == two

    return where


def same_kind_of_fault(difference):
    return difference.dolmen["message"].split(":")[0] == difference.other["message"].split(":")[0]


def without(answer, member):
    return {k: v for k, v in answer.items() if k != member}


def only_differ_in(member):
    return lambda d: without(d.dolmen, member) == without(d.other, member)


def has_reasons_like_dolmen(difference):
    """Returns true if Dolmen's and the peer's cancellation reasons are the same.

    Ignores a full stop after the peer's message, and Local's own message about too many digits.
    """
    one, two = difference.dolmen["reasons"], difference.other.get("reasons", [])
    return [without(r, "Message") for r in one] == [without(r, "Message") for r in two] and all(
        r.get("Message") == s.get("Message", "").rstrip(".")
        or r.get("Message") == s.get("Message")
        or s.get("Message") == LOCAL_DIGITS
        and r.get("Message") == OVERFLOW
        for r, s in zip(one, two)
    )


def expressions(difference):
    requests = [difference.request]
    if difference.operation == "TransactWriteItems":
        requests = [next(iter(a.values())) for a in difference.request["TransactItems"]]
    return " ".join(r[m] for r in requests for m in r if m.endswith("Expression"))


def updates(operation, request):
    """Returns the updates of a request: those of a transaction, or the request itself."""
    if operation == "TransactWriteItems":
        return [a["Update"] for a in request.get("TransactItems", []) if "Update" in a]
    return [request] if operation == "UpdateItem" else []


def only_removes(update):
    """Returns true if the update has only REMOVE and DELETE actions, or only legacy DELETEs."""
    legacy, text = update.get("AttributeUpdates"), update.get("UpdateExpression")
    if isinstance(legacy, dict) and legacy:
        return all(isinstance(u, dict) and u.get("Action") == "DELETE" for u in legacy.values())
    return isinstance(text, str) and not re.search(r"(?<![#:.\w])(SET|ADD)\b", text, re.I)


def stores(operation, request, key):
    """Returns true if the request is a PutItem of the item with the key."""
    item = request.get("Item", {}) if operation == "PutItem" else {}
    return bool(item) and all(item.get(name) == value for name, value in key.items())


def follows_removes_alone(difference):
    """Returns true after an update that only removes, of an item that the case has not put.

    The update is the request itself, or an earlier request of its case.
    """
    requests = [*difference.before, (difference.operation, difference.request)]
    return any(
        only_removes(update) and not any(stores(*one, update.get("Key", {})) for one in requests[:i])
        for i, request in enumerate(requests)
        for update in updates(*request)
    )


def has_wrong_key(difference):
    """Returns true if one of Dolmen's cancellation reasons is a key that does not match the schema."""
    return any(
        re.fullmatch(WRONG_KEY, reason.get("Message", "")) for reason in difference.dolmen["reasons"]
    )


def is_canceled_for_key(difference):
    """Returns true if Local's answer is a transaction canceled because of a key."""
    reasons = [difference.other, *difference.other.get("reasons", [])]
    return any(
        re.search(
            "Type mismatch for key|The number of conditions on the keys",
            reason.get("message", "") + reason.get("Message", ""),
        )
        for reason in reasons
    )


def seconded(difference):
    return difference.seconded


def compares_documents(difference):
    """Returns true for a use of IN or contains, which dynalite implements for scalars only."""
    return (
        seconded(difference)
        and re.search(r"\bIN\b|contains", expressions(difference), re.I) is not None
    )


def is_part_of(part, whole):
    """Returns true if `part` is equal to `whole`, or to `whole` without some of its elements."""
    kind, inner = next(iter(part.items()))
    if kind not in whole:
        return False
    if kind == "M":
        return all(
            name in whole["M"] and is_part_of(value, whole["M"][name])
            for name, value in inner.items()
        )
    if kind == "L":
        rest = iter(whole["L"])
        return all(any(is_part_of(value, other) for other in rest) for value in inner)
    return part == whole


def returns_whole_attributes(difference):
    one, two = difference.dolmen.get("Attributes", {}), difference.other.get("Attributes", {})
    return difference.request.get("ReturnValues", "").startswith("UPDATED") and is_part_of(
        {"M": one}, {"M": two}
    )


def is_at_the_end(difference):
    """Returns true if a page has Limit items and only Dolmen returns a LastEvaluatedKey."""
    return (
        "Limit" in difference.request
        and "LastEvaluatedKey" in difference.dolmen
        and difference.dolmen["ScannedCount"] == difference.request["Limit"]
        and without(difference.dolmen, "LastEvaluatedKey") == difference.other
    )


def reads_default_that_is_missing(difference):
    return "if_not_exists" in expressions(difference)


def has_plus(difference):
    return re.search(r'"\+\d', str(difference.request).replace("'", '"')) is not None
