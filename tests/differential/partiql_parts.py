"""The parts of answers to batches and transactions, and predicates for differences of PartiQL."""

import collections
import json
import re

from known import Difference, is_part_of

NAMES = {"ValidationError": "ValidationException"}


def answer_of(element):
    """Returns an element of Responses, or a cancellation reason, in the form of an answer."""
    error = element.get("Error", element if "Code" in element else {})
    if error.get("Code", "None") == "None":
        return {**element, "Items": [element["Item"]] if "Item" in element else []}
    code = error["Code"]
    return {
        **{name: element[name] for name in ("TableName",) if name in element},
        **{name: error[name] for name in ("Item",) if name in error},
        "error": NAMES.get(code, code),
        "message": error.get("Message", ""),
    }


def parts(difference):
    """Returns the differences between the statements of a batch or a transaction.

    Returns the difference itself if its answers do not have a part for each statement.
    """
    request = difference.request
    statements = request.get("Statements", request.get("TransactStatements", []))
    lists = [
        answer.get("reasons", answer.get("Responses", []))
        for answer in (difference.dolmen, difference.other)
    ]
    if not statements or any(len(one) != len(statements) for one in lists):
        return [difference]
    kind = "TransactStatement" if "TransactStatements" in request else "BatchStatement"
    return [
        Difference(difference.peer, kind, statement, one, other, difference.seconded)
        for statement, one, other in zip(statements, *(map(answer_of, each) for each in lists))
        if one != other
    ]


def statement(difference):
    return difference.request.get("Statement", "")


def returns_more(difference):
    """Returns true if RETURNING MODIFIED returns whole attributes, and Dolmen only their parts."""
    one, other = (answer.get("Items", []) for answer in (difference.dolmen, difference.other))
    return (
        re.search(r"returning\W.*modified", statement(difference), re.I | re.S) is not None
        and len(one) <= 1
        and len(other) <= 1
        and is_part_of({"L": [{"M": item} for item in one]}, {"L": [{"M": item} for item in other]})
    )


def items(difference):
    """Returns the texts of the items in both answers."""
    return (
        [json.dumps(item, sort_keys=True) for item in answer.get("Items", [])]
        for answer in (difference.dolmen, difference.other)
    )


def reads_global_index(difference):
    return re.search(r'"?tbl"?\s*\.\s*"?gidx', statement(difference), re.I) is not None


def filters_unprojected(difference):
    """Returns true if the condition names an attribute that the global index does not project."""
    where = re.split(r"\bWHERE\b", statement(difference), maxsplit=1, flags=re.I)[-1]
    lacking = r"\b(v|s|m|l|li|b|bin|nu|ns|ss|fresh|nosuch)\b"
    return reads_global_index(difference) and re.search(lacking, where) is not None


def ends_page_early(difference):
    """Returns true if Local's page has fewer items, or a token where Dolmen's page has none.

    Returns true for each page of several partitions after a first page, too.
    """
    one, other = items(difference)
    has_token = len(other) <= len(one) and "NextToken" in difference.other
    several = re.search(r"\b(IN|OR)\b", statement(difference), re.I) is not None
    follows = several and "NextToken" in difference.request
    fewer = set(other) < set(one) or one == other or has_token
    return "Limit" in difference.request and (fewer or follows)


def ignores_sort_key(difference):
    """Returns true if Local finds more items of several partitions than Dolmen.

    The statement has a condition on the sort key, and a further condition.
    """
    text = statement(difference)
    several = re.search(r"\b(IN|OR)\b", text, re.I) is not None
    one, other = (
        collections.Counter(str(sorted(without_list_step(item).items())) for item in found)
        for found in (answer.get("Items", []) for answer in (difference.dolmen, difference.other))
    )
    return several and len(re.findall(r"\bAND\b", text, re.I)) > 1 and one < other


def has_other_order(difference):
    """Returns true if both have the same items of several partitions in different orders."""
    one, other = items(difference)
    several = re.search(r"\b(IN|OR)\b", statement(difference), re.I) is not None
    return several and "Limit" not in difference.request and sorted(one) == sorted(other)


def compares_comparison(difference):
    """Returns true if an operand of a comparison is a comparison: a = b <> c."""
    chain = r"(<>|!=|[<>]=?|=)((?!\b(AND|OR)\b)[^<>=!])+(<>|!=|[<>]=?|=)"
    return re.search(chain, statement(difference), re.I) is not None


def without_list_step(item):
    """Returns an item of Local with the name that Dolmen gives to the column li[1].k."""
    item = dict(item)
    step = item.pop("li[1]", {"M": {}})
    return {**item, **step.get("M", {})}


def names_list_step(difference):
    """Returns true if the answers differ only in the name of the column li[1].k."""
    found = [without_list_step(item) for item in difference.other.get("Items", [])]
    one = difference.dolmen.get("Items", [])
    return "li[1].k" in statement(difference) and sorted(map(str, map(sorted, found))) == sorted(
        map(str, map(sorted, one))
    )


def follows_refused_batch(difference):
    """Returns true for a read after a batch that writes one item twice."""
    return difference.operation == "GetItem" and any(
        len({str(one) for one in batch}) < len(batch)
        for batch in (request.get("Statements", []) for _, request in difference.before)
    )


def is_part_of_transaction(difference):
    return difference.operation == "TransactStatement"


def sets_index_key(difference):
    """Returns true if Dolmen cancels a transaction because of the value of an index key."""
    return any(
        "secondary index key" in reason.get("Message", "")
        for reason in difference.dolmen.get("reasons", [])
    )
