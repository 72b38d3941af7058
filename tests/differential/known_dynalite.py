"""Known differences between dynalite and Dolmen."""

import re

from known import (
    ANY,
    EVALUATED,
    FAILED,
    INVALID,
    LEGACY_CONDITIONS,
    OPV,
    RUNTIME,
    SUCCESS,
    V,
    Known,
    follows_removes_alone,
    has,
    only_differ_in,
)
from known_rules import accepts_underscore, rules

DYNALITE = [
    *rules(
        "dynalite",
        accepts=(
            "a violated constraint of the API's model",
            "too deep a value",
            "an invalid attribute value",
            "an empty attribute name",
            "an item of more than 400 KB",
            "the operands of an expression",
            "a path into a key",
            "redundant parentheses",
            "the projection of a request",
            "a key that does not match the schema",
            "a start key",
            "the segments of a scan",
            "a legacy condition or update",
            "the definition of a table",
            "a failure of the update itself",
            "a JSON value of a wrong type",
        ),
    ),
    Known(
        "dynalite creates an item for an update that only removes attributes, or rejects the "
        "update.",
        "The Developer Guide (AttributeUpdates) says that DELETE does nothing if the item does not "
        "exist. An update expression that only removes does nothing, either.",
        SUCCESS,
        ANY,
        follows_removes_alone,
    ),
    Known(
        "dynalite returns a LastEvaluatedKey for a query of one partition of a table without a "
        "sort key.",
        "No item can follow the key, and DynamoDB rejects it as a start key.",
        "success",
        "success",
        lambda d: d.request.get("TableName") == "single" and "LastEvaluatedKey" in d.other,
    ),
    Known(
        "dynalite rejects a number with a plus sign.",
        "DynamoDB Local accepts it.",
        ANY,
        V + ".*cannot be converted to a numeric value: \\+\\d.*",
        lambda d: re.search(r"""['"]\+\d""", str(d.request)) is not None,
    ),
    Known(
        "dynalite ignores ReturnValuesOnConditionCheckFailure.",
        "The API reference has listed this parameter since 2023.",
        FAILED,
        FAILED,
        only_differ_in("Item"),
    ),
    Known(
        "dynalite returns an empty map as Attributes, and Dolmen omits Attributes.",
        "An absent member and an empty map mean the same.",
        "success",
        "success",
        lambda d: d.other.get("Attributes") == {} and "Attributes" not in d.dolmen,
    ),
    Known(
        "dynalite reports a syntax error for an expression that Dolmen evaluates.",
        "DynamoDB Local evaluates the same forms.",
        SUCCESS,
        INVALID + "Syntax error; Expected .*",
    ),
    accepts_underscore("dynalite"),
    Known(
        "dynalite rejects legacy EQ and NE conditions on NULL, BOOL, lists and maps.",
        "The API reference (Condition) says that EQ and NE accept every type.",
        SUCCESS,
        OPV + "ComparisonOperator (EQ|NE) is not valid for (NULL|BOOL|L|M) AttributeValue type",
    ),
    Known(
        "dynalite requires all entries to hold, even with the ConditionalOperator OR.",
        "The API reference (ConditionalOperator) requires only one entry to hold.",
        SUCCESS,
        SUCCESS,
        lambda d: d.request.get("ConditionalOperator") == "OR",
    ),
    Known(
        "dynalite's legacy conditions compare documents, and NOT_CONTAINS with an absent "
        "attribute, "
        "by other rules.",
        "Documents with equal elements are equal. NOT_CONTAINS does not hold for an absent "
        "attribute.",
        SUCCESS,
        SUCCESS,
        has(*LEGACY_CONDITIONS),
    ),
    Known(
        "dynalite's legacy conditions order strings by UTF-16 code units.",
        "The Developer Guide (Data types) says that strings are ordered by the bytes of UTF-8.",
        SUCCESS,
        V + "The BETWEEN condition was provided a range .*",
        has(*LEGACY_CONDITIONS),
    ),
    Known(
        "dynalite compares documents, sets, binaries and missing attributes by other rules, and "
        "orders "
        "strings by UTF-16 code units.",
        "The Developer Guide says that documents with equal elements are equal (Comparison "
        "operators), "
        "and that strings are ordered by the bytes of UTF-8 (Data types).",
        SUCCESS,
        f"({SUCCESS}|{V}The provided starting key.*|{INVALID}The BETWEEN operator requires .*|{V}The "
        "BETWEEN condition was provided a range .*)",
        has(*EVALUATED, "KeyConditions"),
    ),
    Known(
        "dynalite executes the actions of an update one after another, and a copied value changes "
        "with its original.",
        "The Developer Guide (Update expressions) says that all operands refer to the item before "
        "the "
        "update.",
        SUCCESS,
        f"({SUCCESS}|{RUNTIME})",
        lambda d: d.operation in ("UpdateItem", "GetItem", "PutItem", "DeleteItem"),
    ),
    Known(
        "dynalite evaluates the update before the condition.",
        "DynamoDB does not evaluate an update whose condition fails.",
        FAILED,
        RUNTIME,
    ),
    Known(
        "dynalite rejects a request to a new table that is still being created.",
        "The result depends on timing.",
        "success",
        "ResourceInUse: .* Table is being created: .*",
    ),
    Known(
        "A query of an index continues after a start key that no item has, and dynalite returns "
        "other "
        "items.",
        "The order of items with equal index keys is undocumented.",
        "success",
        "success",
        has("ExclusiveStartKey"),
    ),
]
