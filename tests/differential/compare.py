"""Converts answers to a form in which equivalent answers are equal."""

from decimal import Context, Decimal
import json
import re

from peers import STATUS

SET_TYPES = ("SS", "NS", "BS")


# is_normal checks the form of numbers only in Dolmen's answers, because a peer can
# return a number as the client wrote it.
EXACT = Context(prec=40, Emin=-400, Emax=400)


def number(text):
    """Returns a number in DynamoDB's normal form: a plain decimal without superfluous zeros."""
    plain = format(Decimal(text, EXACT), "f")
    if "." in plain:
        plain = plain.rstrip("0").rstrip(".")
    return "0" if plain in ("-0", "") else plain


def is_normal(json_value):
    """Returns true if all numbers in an answer are in normal form."""
    if isinstance(json_value, dict):
        if json_value.keys() == {"N"} and isinstance(json_value["N"], str):
            return json_value["N"] == number(json_value["N"])
        if json_value.keys() == {"NS"} and isinstance(json_value["NS"], list):
            return all(n == number(n) for n in json_value["NS"])
        return all(is_normal(inner) for inner in json_value.values())
    return not isinstance(json_value, list) or all(is_normal(inner) for inner in json_value)


def value(json_value):
    """Returns an attribute value with its numbers in normal form and its sets sorted."""
    kind, inner = next(iter(json_value.items()))
    if kind == "N":
        return {kind: number(inner)}
    if kind == "NS":
        return {kind: sorted(map(number, inner))}
    if kind in SET_TYPES:
        return {kind: sorted(inner)}
    if kind == "L":
        return {kind: [value(element) for element in inner]}
    if kind == "M":
        return {kind: attributes(inner)}
    return json_value


def attributes(json_map):
    return {name: value(inner) for name, inner in json_map.items()}


def sorted_list(match):
    return match.group(1) + ", ".join(sorted(re.split(", ?", match.group(2)))) + match.group(3)


def sorted_violations(match):
    """Sorts the violated constraints in a message. DynamoDB does not define their order."""
    return match.group(1) + "; ".join(sorted(re.split("; (?=Value )", match.group(2))))


def message(text):
    """Returns an error message in a form in which equivalent messages are equal.

    Removes the text after "near:". Sorts the lists whose order DynamoDB does not define.
    """
    text = re.sub(r"(\d+ validation errors? detected: )(.*)", sorted_violations, text, flags=re.S)
    text = re.sub(r"(Statement wasn't well formed, can't be processed).*", r"\1", text, flags=re.S)
    text = re.sub(r'(Syntax error; token: ".*?"), near: ".*"$', r"\1", text, flags=re.S)
    text = re.sub(r"(does not project [^\[]*\[)(.*?)(\])", sorted_list, text)
    text = re.sub(r"(keys: \{)(.*?)(\})", sorted_list, text, flags=re.S)
    return re.sub(r"(valid types: \{)(.*?)(\})", sorted_list, text)


def error(answer):
    found = {
        "error": answer["__type"].rsplit("#", 1)[-1],
        "message": message(answer.get("message", answer.get("Message", ""))),
    }
    if answer.get(STATUS, 400) != 400:
        found["status"] = answer[STATUS]
    if "Item" in answer:
        found["Item"] = attributes(answer["Item"])
    if "CancellationReasons" in answer:
        found["reasons"] = [reason(r) for r in answer["CancellationReasons"]]
    return found


def reason(answer):
    found = {"Code": answer["Code"]}
    if answer.get("Message"):
        found["Message"] = message(answer["Message"])
    if "Item" in answer:
        found["Item"] = attributes(answer["Item"])
    return found


def canonical(answer, request):
    """Returns an answer in a form in which equivalent answers are equal."""
    if "__type" in answer:
        return error(answer)
    found = {}
    for member, content in answer.items():
        if member == "LastEvaluatedKey" and "Statement" in request:
            continue  # it repeats NextToken
        if member in ("Item", "Attributes", "LastEvaluatedKey"):
            found[member] = attributes(content)
        elif member == "ConsumedCapacity":
            continue  # not every peer counts capacity
        elif member == "Items":
            found[member] = [attributes(item) for item in content]
            # A scan, and an index without a sort key, return items in undefined order.
            if (
                request.get("IndexName") == "Alone"
                or request.get("TableName") == "still"
                or not getattr(request, "ordered", True)
            ):
                found[member].sort(key=text)
        elif member == "NextToken":
            found[member] = "given"
        elif member == "Responses":
            found[member] = responses(content)
        elif member in ("TableDescription", "Table"):
            found[member] = "described"  # descriptions of tables are not compared
        else:
            found[member] = content
    return found


def responses(content):
    """Returns the items of a response. Sorts the items of a batch, but not of a transaction."""
    if isinstance(content, list):
        return [{member: part(member, inner) for member, inner in one.items()} for one in content]
    return {
        table: sorted((attributes(item) for item in items), key=text)
        for table, items in content.items()
    }


def part(member, content):
    """Returns a member of one response: an item, an error or the name of a table."""
    if member == "Item":
        return attributes(content)
    return reason(content) if member == "Error" else content


CAPITAL_MESSAGE = (
    "SerializationException",
    "AccessDeniedException",
    "IdempotentParameterMismatchException",
    "TransactionCanceledException",
    "TransactionInProgressException",
)
NAMESPACES = {
    "ValidationException": "com.amazon.coral.validate",
    "SerializationException": "com.amazon.coral.service",
    "UnknownOperationException": "com.amazon.coral.service",
}


def is_in_form(answer):
    """Returns true for a success, and for an error that has DynamoDB's namespace and members."""
    if "__type" not in answer:
        return STATUS not in answer
    namespace, name = answer["__type"].split("#")
    # A failed condition that returns the item spells its message with a capital.
    capital = name in CAPITAL_MESSAGE or "Item" in answer
    return (
        answer[STATUS] == (500 if name == "InternalServerError" else 400)
        and namespace == NAMESPACES.get(name, "com.amazonaws.dynamodb.v20120810")
        and ("message" if capital else "Message") not in answer
    )


def is_error(answer):
    return "error" in answer


def is_failure(answer):
    """Returns true if a peer failed internally, or does not implement the operation."""
    return answer.get("error") in (
        "PeerFailure",
        "InternalError",
        "InternalFailure",
        "InternalServerError",
        "UnknownOperationException",
    )


def shape(answer):
    """Returns the kind of an answer, without the parts that vary by case, to group differences."""
    if not is_error(answer):
        return "success"
    text = answer["message"]
    text = re.sub(r'"[^"]*"', '"..."', text)
    text = re.sub(
        r"([:;,] (?:attribute name|attribute value|reserved keyword|function|operand type|type|"
        r"number of operands|"
        r"path one|path two|first operand|lower bound operand|upper bound operand|operator|"
        r"operator or function|"
        r"operand|key|keys|Key|IndexKey|attribute|unexpected key|index): ?)(\{[^}]*\}|\[[^\]]*\]+|"
        r"[^;,]+)",
        r"\1...",
        text,
    )
    codes = " ".join(r["Code"] for r in answer.get("reasons", []))
    return f"{answer['error'].removesuffix('Exception')}: {text[:230]} {codes}".strip()


def shape_beside(answer, other):
    """Returns the text by which a report groups equal differences: shape(answer).

    If shape(other) is the same text, appends the first difference between the two answers.
    """
    if answer == other:
        return "(same)"
    if shape(answer) != shape(other):
        return shape(answer)
    return f"{shape(answer)} -- {first_difference(answer, other)}"


def first_difference(one, two):
    if isinstance(one, dict) and isinstance(two, dict):
        for key in sorted(one.keys() | two.keys()):
            if key not in one or key not in two:
                what = "extra" if key in one else "lacks"
                return f"{what} {key if key[:1].isupper() else 'attribute'}"
            if one[key] != two[key]:
                where = key if key[:1].isupper() else "attribute"
                return f"{where} {first_difference(one[key], two[key])}"
    if isinstance(one, list) and isinstance(two, list):
        if len(one) != len(two):
            return "length"
        return "element " + first_difference(*next((a, b) for a, b in zip(one, two) if a != b))
    return "differs"


def text(answer):
    return json.dumps(answer, ensure_ascii=False, sort_keys=True)
