"""Known differences between dynoxide and Dolmen."""

import re

from known import (
    ANY,
    CANCELED,
    ERROR,
    INVALID,
    LEGACY_CONDITIONS,
    RUNTIME,
    SUCCESS,
    V,
    Known,
    compares_numbers_of_a_set,
    follows_a_statement,
    follows_removes_alone,
    has,
    only_differ_in,
    says,
)
from known_rules import WHY, accepts_underscore, refuses_null, refuses_operands_of_in, rules

WITH_VALUES = ("PutItem", "UpdateItem", "DeleteItem", "Query", "Scan")

DYNOXIDE = [
    *rules(
        "dynoxide",
        accepts=(
            "a violated constraint of the API's model",
            "an invalid attribute value",
            "the operands of an expression",
            "a path into a key",
            "redundant parentheses",
            "an invalid statement",
            "an index key in a statement",
            "a failure of the update itself",
            "the placeholders of an expression",
            "a key that does not match the schema",
            "a legacy condition or update",
            "a start key",
            "paths that overlap",
            "the definition of a table",
        ),
    ),
    Known(
        "dynoxide creates an item for an update that only removes attributes, or rejects the "
        "update.",
        "The Developer Guide (AttributeUpdates) says that DELETE does nothing if the item does not "
        "exist. An update expression that only removes does nothing, either.",
        SUCCESS,
        ANY,
        follows_removes_alone,
    ),
    Known(
        "dynoxide returns a LastEvaluatedKey for a query of one partition of a table without a "
        "sort key.",
        "No item can follow the key, and DynamoDB rejects it as a start key.",
        "success",
        "success",
        lambda d: d.request.get("TableName") == "single" and "LastEvaluatedKey" in d.other,
    ),
    Known(
        "dynoxide reports a syntax error for an expression that Dolmen evaluates.",
        "DynamoDB's grammar has parentheses around operands, and white space around every token.",
        SUCCESS,
        INVALID + "Syntax error; .*",
    ),
    accepts_underscore("dynoxide"),
    Known(
        "dynoxide accepts an undefined value in a part of a condition that it does not evaluate.",
        WHY,
        INVALID + "An expression attribute value used in expression is not defined; .*",
        SUCCESS,
    ),
    refuses_operands_of_in("dynoxide"),
    refuses_null("dynoxide", "is empty, .*"),
    Known(
        "dynoxide's legacy conditions take NOT_CONTAINS of an absent attribute for true.",
        "NOT_CONTAINS does not hold for an absent attribute.",
        SUCCESS,
        ANY,
        lambda d: has(*LEGACY_CONDITIONS)(d) and "NOT_CONTAINS" in str(d.request),
    ),
    Known(
        "dynoxide deletes a number from a set by its text.",
        "The Developer Guide (Data types): numbers with equal values are equal.",
        SUCCESS,
        f"({SUCCESS}|{V}Input collection contains duplicates)",
        compares_numbers_of_a_set,
    ),
    Known(
        "dynoxide reads ExpressionAttributeValues of an operation that does not have this "
        "parameter.",
        "DynamoDB ignores a member that the operation's model lacks.",
        "success",
        "Serialization: .*",
        lambda d: d.operation not in WITH_VALUES and "ExpressionAttributeValues" in d.request,
    ),
    Known(
        "dynoxide returns the item that an update creates as ALL_OLD.",
        "The API reference (UpdateItem): ALL_OLD is the item before the update.",
        "success",
        "success",
        lambda d: d.request.get("ReturnValues") == "ALL_OLD" and only_differ_in("Attributes")(d),
    ),
    Known(
        "dynoxide rejects KeyConditions beside a FilterExpression or a ProjectionExpression.",
        "DynamoDB accepts KeyConditions beside the expressions that they do not replace.",
        "success",
        V + "Can not use both expression and non-expression parameters .*",
        has("KeyConditions"),
    ),
    Known(
        "dynoxide takes a name of AttributesToGet that begins with # for a placeholder.",
        "AttributesToGet has names of attributes.",
        "success",
        V
        + "(Invalid ProjectionExpression: )?An expression attribute name used in the document path .*",
        has("AttributesToGet"),
    ),
    Known(
        "dynoxide reports a syntax error for a statement that Dolmen executes, such as one with "
        "several "
        "SET clauses, if_not_exists or IS.",
        "DynamoDB executes these statements.",
        SUCCESS,
        V + ".*Statement wasn't well formed, can't be processed.*",
    ),
    Known(
        "dynoxide orders the items of several partitions, and those of an index with equal keys, "
        "differently, and ends pages of them elsewhere.",
        "No order of partitions is documented, and none of equal index keys.",
        "success",
        "success",
        lambda d: re.search(
            r"\b(IN|OR|ORDER BY|gidx|lidx)\b", d.request.get("Statement", ""), re.I
        ),
    ),
    Known(
        "dynoxide refuses overlapping conditions, or an ORDER BY without the partition key of "
        "several "
        "partitions.",
        "It is unknown whether DynamoDB refuses these statements.",
        "success",
        V
        + "(Overlapping conditions with range keys are not supported|Must have hash key in ORDER BY|Must "
        "have at least one non-optional hash key condition).*",
    ),
    Known(
        "dynoxide refuses a ClientRequestToken of a transaction that reads, if a statement has "
        "changed.",
        "A token makes writes idempotent. It is unknown whether DynamoDB compares reads.",
        "success",
        "IdempotentParameterMismatch: .*",
    ),
    Known(
        "dynoxide sets an attribute to the name of another attribute in place of its value.",
        "DynamoDB reads the other attribute.",
        f"({SUCCESS}|{CANCELED})",
        SUCCESS,
        lambda d: follows_a_statement(d) or says(r"=\s*[\"a-z].*(RETURNING|WHERE)")(d),
    ),
    Known(
        "dynoxide does not read a step in brackets and quotes: m['x'].",
        "DynamoDB reads it like m.x.",
        SUCCESS,
        f"({SUCCESS}|{RUNTIME}|{CANCELED})",
        says(r"\[[^\]]*'"),
    ),
    Known(
        "dynoxide takes a comment behind the name of a function in WHERE for a part of a path.",
        "A comment separates tokens like white space.",
        "success",
        V + "Unexpected path component at .*",
        lambda d: "/*" in str(d.request),
    ),
    Known(
        "dynoxide does not evaluate begins_with of a literal and a path.",
        "DynamoDB Local evaluates it, as begins_with takes two operands of any form.",
        "success",
        "success",
        says(r"begins_with\s*\(\s*'"),
    ),
    Known(
        "dynoxide compares the keys and the kinds of a batch's statements that are invalid.",
        "Each invalid statement of a batch has an error of its own. It is unknown whether DynamoDB "
        "compares its key or its kind.",
        "success",
        V
        + "(Provided list of item keys contains duplicates|Read and write requests together in the same "
        "batch is not supported.)",
        has("Statements"),
    ),
    Known(
        "dynoxide refuses the NextToken of a statement that has lists or maps as parameters.",
        "The token belongs to the statement and its parameters, which are the same.",
        "success",
        V + "NextToken does not match request",
        lambda d: re.search("'[LM]': ", str(d.request.get("Parameters"))) is not None,
    ),
    Known(
        "dynoxide does not compare the keys of a batch's statements that it cannot read.",
        WHY,
        V + "Provided list of item keys contains duplicates",
        "success",
        has("Statements"),
    ),
    Known(
        "dynoxide compares a key attribute with values of other types in the filter of a statement.",
        "DynamoDB Local refuses it, as the condition of a Query.",
        V + "One or more parameter values were invalid: Condition parameter type .*",
        "success",
        has("Statement"),
    ),
    Known(
        "dynoxide accepts the name of a function in any case.",
        WHY,
        INVALID + "Invalid function name; .*",
        SUCCESS,
    ),
    Known(
        "dynoxide's UPDATED_OLD and UPDATED_NEW return the whole attribute of a nested path.",
        "The API reference (UpdateItem): they return only what is updated.",
        "success",
        "success",
        lambda d: str(d.request.get("ReturnValues")).startswith("UPDATED"),
    ),
    Known(
        "dynoxide evaluates the other statements of a transaction in which a key has a wrong type.",
        "DynamoDB checks the keys of all statements before it evaluates any.",
        "success",
        ERROR,
        lambda d: d.operation == "TransactStatement",
    ),
    Known(
        "dynoxide refuses EXISTS beside an INSERT of a transaction.",
        "DynamoDB accepts EXISTS beside writes.",
        "success",
        V + ".*EXISTS can only be used in ExecuteTransaction write requests.*",
    ),
]
