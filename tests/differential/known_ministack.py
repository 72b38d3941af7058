"""Known differences between ministack and Dolmen."""

import re

from known import (
    ANY,
    CANCELED,
    ERROR,
    FAILED,
    INVALID,
    LEGACY_CONDITIONS,
    OPV,
    RUNTIME,
    SUCCESS,
    V,
    Known,
    compares_numbers_of_a_set,
    follows_a_statement,
    follows_removes_alone,
    has,
    mentions,
    says,
    updates,
)
from known_rules import RULES, refuses_null, refuses_operands_of_in, rules

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
        f"(success|{V}The parameter cannot be converted to a numeric value: .*)",
        lambda d: any(updates(*request) for request in [*d.before, (d.operation, d.request)]),
    ),
    Known(
        "ministack finds no item by a key in scientific notation.",
        "The Developer Guide (Data types): a number is its value.",
        "success",
        "success",
        lambda d: re.search(r"'N': '[^']*[eE]", str(d.request.get("Key"))) is not None,
    ),
    Known(
        "ministack's contains finds no binary.",
        "The API reference (ConditionalOperator CONTAINS): the operator looks for a subsequence of a "
        "binary, and for a binary in a list.",
        SUCCESS,
        SUCCESS,
        lambda d: mentions(r"\bcontains\b")(d) and "'B'" in str(d.request),
    ),
    refuses_operands_of_in("ministack"),
    refuses_null("ministack", ".*"),
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
    # ---- PartiQL ----
    Known(
        "ministack finds the index of a statement only if both names are quoted.",
        "dynoxide, whose author compares it with DynamoDB, accepts bare names, too.",
        ANY,
        r"ResourceNotFound: Requested resource not found: Table: \w+\.\w+ not found",
        says(r"\w\s*\.\s*[gl]idx"),
    ),
    Known(
        "ministack does not execute statements with comments, nested conditions, or functions of an "
        "update.",
        "The Developer Guide (PartiQL for DynamoDB) has these functions and conditions.",
        SUCCESS,
        V
        + "(Statement wasn't well formed, can't be processed|Unsupported operation: .*|Invalid "
        "(returning|RETURNING) clause: .*)",
    ),
    Known(
        "ministack cancels a transaction of such a statement.",
        "The Developer Guide (PartiQL for DynamoDB) has these functions and conditions.",
        "success",
        CANCELED,
        lambda d: re.search(
            "Unsupported operation: |well formed|(returning|RETURNING) clause|Where clause does not",
            str(d.other.get("reasons")),
        ),
    ),
    Known(
        "ministack refuses a ClientRequestToken of a transaction that reads, if a statement has "
        "changed.",
        "A token makes writes idempotent. It is unknown whether DynamoDB compares reads.",
        "success",
        "IdempotentParameterMismatch: .*",
        says("SELECT"),
    ),
    Known(
        "ministack refuses the filter of a scanned index on attributes that the index does not project.",
        "DynamoDB refuses it only if the statement names the partition. dynoxide does the same.",
        "success",
        V + ".*Secondary index \\w+ does not project one or more filter attributes.*",
    ),
    Known(
        "ministack takes an absent attribute for NULL.",
        "The Developer Guide (PartiQL operators): IS NULL tests for the type NULL, and IS MISSING for "
        "an absent attribute.",
        SUCCESS,
        SUCCESS,
        says(r"\bIS\s+(NOT\s+)?NULL\b"),
    ),
    Known(
        "ministack refuses an OR of the partition key and other attributes.",
        "Only conditions on the sort keys of one partition can overlap.",
        "success",
        V + "Overlapping conditions with range keys are not supported in where clause",
        says(r"\bOR\b"),
    ),
    Known(
        "ministack does not find the key beside an OR in parentheses.",
        "The WHERE clause of these statements has an equality on all key attributes.",
        SUCCESS,
        V + "Where clause does not contain a mandatory equality on all key attributes",
        says(r"\bOR\b"),
    ),
    Known(
        "ministack takes only some conditions of EXISTS for one.",
        "The Developer Guide (ExecuteTransaction): EXISTS has an additional condition of any form.",
        "success",
        V + ".*EXISTS\\(\\) must contain a single item read with additional condition",
        says(r"\bEXISTS\b"),
    ),
    Known(
        "ministack names a column without the steps of a list.",
        "dynoxide, whose author compares it with DynamoDB, names the column y[1] for the path m.y[1].",
        "success",
        "success",
        says(r"SELECT.*\[\d+\].*FROM"),
    ),
    Known(
        "ministack applies the Limit of a statement to the items that fit, or ignores it.",
        "The API reference (ExecuteStatement): Limit is the number of items to evaluate.",
        "success",
        "success",
        lambda d: "Statement" in d.request and "Limit" in d.request,
    ),
    Known(
        "ministack orders the items of several partitions, and those of an index with equal keys, "
        "differently.",
        "No order of partitions is documented, and none of equal index keys.",
        "success",
        "success",
        says(r"\b(IN|OR|ORDER BY|gidx|lidx)\b"),
    ),
    Known(
        "ministack's MODIFIED OLD and MODIFIED NEW return the whole attribute of a nested path.",
        "The API reference (UpdateItem): UPDATED_OLD and UPDATED_NEW return only what is updated.",
        "success",
        "success",
        says("RETURNING.*MODIFIED"),
    ),
    Known(
        "ministack names the reasons of a cancelled transaction of statements after exceptions, and "
        "reports only the first.",
        "The API reference (CancellationReason) lists the codes. Each failed statement has a reason.",
        ERROR,
        ANY,
        lambda d: d.operation == "TransactStatement",
    ),
    Known(
        "ministack evaluates the other statements of a transaction in which a key has a wrong type.",
        "DynamoDB checks the keys of all statements before it evaluates any.",
        "success",
        f"({FAILED}|DuplicateItem: .*)",
        lambda d: d.operation == "TransactStatement",
    ),
    Known(
        "ministack executes the clauses of a statement one after another.",
        "The Developer Guide (Update expressions) says that all operands refer to the item before the "
        "update.",
        SUCCESS,
        f"({SUCCESS}|{RUNTIME})",
        lambda d: follows_a_statement(d) or says("UPDATE")(d),
    ),
]
