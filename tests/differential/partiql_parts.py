"""The parts of answers to batches and transactions of PartiQL statements."""

from known import Difference

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

    Returns the difference itself if its answers do not have a part for each statement, or differ only in the codes of
    the parts.
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
    found = [
        Difference(difference.peer, kind, statement, one, other)
        for statement, one, other in zip(statements, *(map(answer_of, each) for each in lists))
        if one != other
    ]
    return found or [difference]
