"""Known differences between ministack and Dolmen."""

import re

from known import (
    ANY,
    INVALID,
    LEGACY_CONDITIONS,
    OPV,
    RUNTIME,
    SUCCESS,
    V,
    Known,
    compares_numbers_of_a_set,
    follows,
    follows_removes_alone,
    has,
    mentions,
)
from known_rules import RULES, rules

MINISTACK = [
    *rules("ministack", accepts=RULES),
    Known(
        "ministack creates an item for an update that only removes attributes, or rejects the "
        "update.",
        "The Developer Guide (AttributeUpdates) says that DELETE does nothing if the item does not "
        "exist. An update expression that only removes does nothing, either.",
        SUCCESS,
        ANY,
        follows_removes_alone,
    ),
    Known(
        "ministack returns a LastEvaluatedKey for a query of one partition of a table without a "
        "sort "
        "key.",
        "No item can follow the key, and DynamoDB rejects it as a start key.",
        "success",
        "success",
        lambda d: d.request.get("TableName") == "single" and "LastEvaluatedKey" in d.other,
    ),
    Known(
        "ministack checks the type of an operand of begins_with in the item.",
        "DynamoDB checks only the types of values in the request. In an item, another type does "
        "not "
        "match.",
        SUCCESS,
        INVALID
        + "Incorrect operand type for operator or function; operator or function: begins_with.*",
    ),
    Known(
        "ministack reports a syntax error for an expression that Dolmen evaluates.",
        "DynamoDB's grammar has parentheses around operands, and white space around every token.",
        SUCCESS,
        INVALID + "Syntax error; .*",
    ),
    Known(
        "ministack rejects the legacy comparison NULL without values.",
        "The API reference (Condition) says that NULL and NOT_NULL have no values.",
        SUCCESS,
        OPV + "Value or AttributeValueList must be used with ComparisonOperator: (NOT_)?NULL .*",
    ),
    Known(
        "ministack's legacy ADD rejects a list.",
        "DynamoDB's message for other types lists the types that ADD takes, and L is one of them.",
        SUCCESS,
        OPV + "Action ADD is only supported for .*",
    ),
    Known(
        "ministack reads ExpressionAttributeValues of an operation that does not have this "
        "parameter.",
        "DynamoDB ignores a member that the operation's model lacks.",
        "success",
        V + "(Value provided in )?ExpressionAttributeValues .*",
        lambda d: d.operation in ("GetItem", "BatchGetItem"),
    ),
    Known(
        "ministack projects no path that has white space inside.",
        "DynamoDB's grammar has white space around every token.",
        "success",
        "success",
        mentions(r"\s[.\[\]]|[.\[]\s"),
    ),
    Known(
        "ministack's legacy conditions compare documents, and NOT_CONTAINS with an absent "
        "attribute, "
        "by other rules.",
        "Documents with equal elements are equal. NOT_CONTAINS does not hold for an absent "
        "attribute.",
        SUCCESS,
        f"({SUCCESS}|{OPV}Type mismatch for attribute .*)",
        has(*LEGACY_CONDITIONS),
    ),
    Known(
        "ministack finds a number in a set, and deletes it from the set, by its text.",
        "The Developer Guide (Data types): numbers with equal values are equal.",
        SUCCESS,
        f"({SUCCESS}|{OPV}Input collection .* contains duplicates.)",
        compares_numbers_of_a_set,
    ),
    Known(
        "ministack returns an empty map as Attributes, and Dolmen omits Attributes.",
        "An absent member and an empty map mean the same.",
        "success",
        "success",
        lambda d: d.other.get("Attributes") == {} and "Attributes" not in d.dolmen,
    ),
    Known(
        "ministack takes two absent operands for equal.",
        "An absent operand equals nothing, not even another absent operand.",
        SUCCESS,
        SUCCESS,
        mentions(r"\bIN\b|=|<|>"),
    ),
    Known(
        "ministack's UPDATED_OLD and UPDATED_NEW return the whole attribute of a nested path.",
        "The API reference (UpdateItem): they return only what is updated.",
        "success",
        "success",
        lambda d: str(d.request.get("ReturnValues")).startswith("UPDATED"),
    ),
    Known(
        "ministack refuses the texts true and false as the value of BOOL.",
        "DynamoDB reads these texts as booleans.",
        SUCCESS,
        OPV + "BOOL value must be true or false",
    ),
    Known(
        "ministack executes the actions of an update one after another.",
        "The Developer Guide (Update expressions) says that all operands refer to the item before the "
        "update.",
        SUCCESS,
        RUNTIME,
        has("UpdateExpression"),
    ),
    Known(
        "ministack's arithmetic rounds to fewer than 38 digits.",
        "The Developer Guide (Data types): numbers have up to 38 digits.",
        "success",
        "success",
        lambda d: follows("UpdateExpression", "AttributeUpdates")(d)
        or has("UpdateExpression", "AttributeUpdates")(d),
    ),
    Known(
        "ministack reads a placeholder's name with brackets or dots as a path.",
        "The name of a placeholder is the name of one attribute.",
        SUCCESS,
        f"({SUCCESS}|{INVALID}.*)",
        lambda d: re.search(r"[.\[]", str(d.request.get("ExpressionAttributeNames"))) is not None,
    ),
    Known(
        "ministack's attribute_type and size take only a path.",
        "DynamoDB Local evaluates a value as its operand.",
        SUCCESS,
        INVALID + "Expected (COMMA|RPAREN), got .*",
    ),
]
