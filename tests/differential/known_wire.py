"""Known differences between the peers and Dolmen that occur only over HTTP."""

import re

from known import ANY_SUCCESS, FAILED, Known, Open, V, same_but, seconded

OPV = V + "One or more parameter values were invalid: "
VIOLATIONS = V + r"\d+ validation errors? detected: .*"
TYPES = "Serialization: .*"
VALUE = V + (
    "(Supplied AttributeValue|The parameter cannot be converted|Number (over|under)flow|Attempting to "
    "store|(One or more parameter values were invalid: )?Input collection|One or more parameter "
    "values were invalid: (Null attribute|An (string|number) set|Binary sets)|"
    "ExpressionAttributeValues contains invalid value).*"
)
LEGACY = {
    "AttributesToGet",
    "AttributeUpdates",
    "ConditionalOperator",
    "Expected",
    "KeyConditions",
    "QueryFilter",
    "ScanFilter",
}


def is_legacy(difference):
    return bool(LEGACY & difference.request.keys())


def seconded_legacy(difference):
    return seconded(difference) and is_legacy(difference)


def is_checked(difference):
    """Returns true, unless the request is a transaction that the peer accepts.

    dynalite does not implement transactions, so it cannot confirm that Dolmen rightly rejects one.
    """
    transaction = difference.operation.startswith("Transact")
    return not transaction or "error" in difference.other


def has_short_name(difference):
    """Returns true if the request names a table by fewer than three characters."""
    name = difference.request.get("TableName")
    return isinstance(name, str) and len(name) < 3


def makes_table(difference):
    return difference.operation == "CreateTable"


def uses_not_contains(difference):
    return "NOT_CONTAINS" in str(difference.request)


def violations(text):
    """Returns the violations that a message lists, without the violating values.

    The peers print these values in a different form than Dolmen.
    """
    told = re.split("; (?=Value )", text.split(" detected: ", 1)[-1])
    return {re.sub("^Value (.* )?at '", "at '", one, flags=re.S) for one in told}


def tells_fewer(difference):
    """Returns true if the peer reports some of the violations that Dolmen reports, but not all."""
    return violations(difference.other["message"]) < violations(difference.dolmen["message"])


def breaks_the_same(difference):
    """Returns true if both messages list the same violations, apart from upper and lower case."""
    one, other = (
        {violation.lower() for violation in violations(answer["message"])}
        for answer in (difference.dolmen, difference.other)
    )
    return one == other


def only_breaks(*paths):
    """Returns a function that tests a difference between a peer and Dolmen.

    The function returns true if each violation that Dolmen's message lists is at one of `paths`.
    `paths` are regular expressions.
    """

    def where(difference):
        told = violations(difference.dolmen["message"])
        return all(re.search(f"^at '({'|'.join(paths)})' failed", one) for one in told)

    return where


SELECT = V + (
    "((Cannot specify the (AttributesToGet|ProjectionExpression)|Must specify the AttributesToGet or "
    "ProjectionExpression) when choosing to get|ALL_PROJECTED_ATTRIBUTES can be used only when) .*"
)
FAULT = f"({V}.*|{TYPES}|{FAILED})"


MIXED = V + "Can not use both expression and non-expression parameters in the same request: .*"
LEGACY_FAULT = V + (
    "(ConditionalOperator c|The BETWEEN condition|One or more parameter values were invalid: "
    "(ComparisonOperator|AttributeValues inside|Invalid number of argument|Duplicate value|"
    ".* for Attribute: |Only DELETE|(DELETE|ADD) action)).*"
)
WRONG_KEY_TYPE = V + (
    "(One or more parameter values were invalid: (Type mismatch for|Missing the) key|Invalid "
    "attribute value type|The provided key element|The number of conditions on the keys|One of the "
    "required keys).*"
)

BOTH = [
    Open(
        "Dolmen reports a null element of a set as a violated constraint. The peer accepts it, has "
        "a different message, or reports a different error.",
        "No source has the service's answer to a null element beside a second error.",
        V + r".*\d+ validation errors? detected: .*Value null at '[bns]S\..*",
        ".*",
    ),
    Open(
        "Dolmen reports an empty value in ExpressionAttributeValues. The peer reports an invalid "
        "key of another value.",
        "No source has the order of these two errors.",
        V + "ExpressionAttributeValues contains invalid value: .*",
        V + "ExpressionAttributeValues contains invalid key: .*",
    ),
    Known(
        "The peer has a different message for a BatchWriteItem without tables, or reports a "
        "violated constraint.",
        "Dolmen has the message that the service had in September 2026.",
        f"({V}The requestItems parameter is required for BatchWriteItem|{VIOLATIONS})",
        V + ".*",
        lambda d: d.operation == "BatchWriteItem" and d.request.get("RequestItems") == {},
    ),
    Known(
        "The peer demands that the name of a table has at least three characters.",
        "In the model of 2024 the name can be an ARN, whose least length is 1.",
        ".*",
        V + r"\d+ validation errors? detected: .*at 'tableName' failed .*",
        has_short_name,
    ),
    Known(
        "Dolmen reports an invalid table name alone. The peer reports the violated constraints.",
        "The service was observed to check the presence and the length of the name first.",
        V + "(The parameter 'TableName' is required|TableName must be at least 3) .*",
        VIOLATIONS,
        makes_table,
    ),
    Open(
        "Dolmen reports an error in legacy parameters. The peer reports a key that does not match "
        "the schema.",
        "If one of two errors does not depend on the table, Dolmen reports this error.",
        LEGACY_FAULT,
        WRONG_KEY_TYPE,
    ),
    Open(
        "Dolmen reports a conflict of Select and the projection. The peer reports an error that "
        "depends on the table.",
        "If one of two errors does not depend on the table, Dolmen reports this error.",
        SELECT,
        V + ".*",
    ),
    Open(
        "Two errors occur in evaluating a legacy update, and the peer reports a different one "
        "than Dolmen.",
        "It is undocumented which of two errors DynamoDB reports.",
        f"{V}(Attempting to store|Number (over|under)flow|Type mismatch for attribute|.*ADD action).*",
        f"{V}(Attempting to store|Number (over|under)flow|Type mismatch for attribute).*",
        lambda d: "AttributeUpdates" in d.request,
    ),
]

LOCAL = [
    Known(
        "Local demands that the name of a table has at least three characters.",
        "In the model of 2024 the name can be an ARN, whose least length is 1.",
        ".*",
        V + "Invalid table/index name.*",
        has_short_name,
    ),
    Known(
        "Local accepts a number as the value of NULL.",
        "The type of the member is Boolean.",
        "Serialization: NUMBER_VALUE cannot be converted to Boolean",
        "success",
    ),
    Known(
        "Local checks few constraints of the API's model and has different messages for them.",
        "The API's model contains the constraints. dynalite answers like Dolmen.",
        VIOLATIONS,
        ".*",
        is_checked,
    ),
    Known(
        "Local does not check ClientRequestToken, ReturnConsumedCapacity and "
        "ReturnItemCollectionMetrics in a transaction.",
        "The API's model has constraints for these members. dynalite has no transactions.",
        VIOLATIONS,
        ANY_SUCCESS,
        only_breaks(
            "returnConsumedCapacity", "returnItemCollectionMetrics", "clientRequestToken"
        ),
    ),
    Known(
        "Local checks few JSON types and has different messages for them.",
        "dynalite answers like Dolmen.",
        TYPES,
        ".*",
        is_checked,
    ),
    Known(
        "Local has a different message for a table that does not exist.",
        "Dolmen has the service's messages. dynalite answers like Dolmen.",
        "ResourceNotFound: Requested resource not found.*",
        "ResourceNotFound: Cannot do operations on a non-existent table",
    ),
    Known(
        "Local has different messages for errors in legacy parameters, and checks for these "
        "errors in a different order.",
        "dynalite answers like Dolmen.",
        V + ".*",
        f"({V}.*|{FAILED})",
        seconded_legacy,
    ),
    Known(
        "Local has different messages for errors in CreateTable, and checks for these errors in a "
        "different order.",
        "Dolmen has the service's messages. dynalite mostly answers like Dolmen.",
        V + ".*",
        V + ".*",
        makes_table,
    ),
    Open(
        "Local rejects a null entry in a map of attribute values.",
        "In other places null means that the member is absent. dynalite fails internally.",
        ".*",
        V + ".*The supplied Item contains a null AttributeValue.*",
    ),
    Open(
        "Dolmen reports an invalid projection. Local reports an invalid key.",
        "It is undocumented which error DynamoDB reports. dynalite answers like Dolmen.",
        V + "Invalid ProjectionExpression: .*",
        V + ".*key.*",
    ),
    Open(
        "In a transaction, Dolmen reports an invalid value. Local reports an invalid expression.",
        "It is undocumented which of two errors DynamoDB reports.",
        VALUE,
        V + "Invalid (Condition|Update)Expression: .*",
    ),
    Open(
        "Local checks expressions before segments. Dolmen checks segments first.",
        "It is undocumented which error DynamoDB reports. dynalite answers like Dolmen.",
        V + "The (Total)?Segments? parameter .*",
        V + ".*",
        seconded,
    ),
    Known(
        "Local creates a table although the request is invalid.",
        "dynalite answers like Dolmen.",
        V + ".*",
        "success",
        lambda d: seconded(d) and makes_table(d),
    ),
    Open(
        "Dolmen reports an invalid value. Local reports an error in an expression.",
        "It is undocumented which error DynamoDB reports. dynalite answers like Dolmen.",
        VALUE,
        V + ".*",
        seconded,
    ),
    Known(
        "Local accepts values of every type with every operator of the legacy conditions.",
        "The API reference (Condition) allows only values of the types S, N and B with the "
        "operators of these requests.",
        OPV + r"ComparisonOperator \w+ is not valid for \w+ AttributeValue type",
        ANY_SUCCESS,
    ),
    Known(
        "Local has a different message for duplicates in a set.",
        "dynalite answers like Dolmen.",
        V + ".*Input collection.*contains duplicates.*",
        V + ".*Input collection.*contains duplicates.*",
    ),
    Known(
        "Local has different messages for invalid segments.",
        "Dolmen has the service's messages. dynalite answers like Dolmen.",
        V + "The (Total)?Segments? parameter .*",
        V + "(If (total segments|segment) is specified.*|1 validation error .* at 'segment'.*)",
    ),
    Open(
        "Local checks the size of an item before the item's values.",
        "It is undocumented which error DynamoDB reports. dynalite answers like Dolmen.",
        V + ".*",
        V + "Item size has exceeded the maximum allowed size",
        seconded,
    ),
    Known(
        "Local has a different message for a duplicate attribute in AttributesToGet.",
        "dynalite answers like Dolmen, or fails internally.",
        OPV + "Duplicate value in attribute name: .*",
        V + "Cannot have two attributes with the same name",
    ),
    Known(
        "Local accepts a JSON number in place of a string in a transaction.",
        "Both peers reject such a number in other operations.",
        "Serialization: (DECIMAL_VALUE|NUMBER_VALUE) cannot be converted to String",
        "success",
        lambda d: d.operation.startswith("Transact"),
    ),
    Open(
        "Dolmen reports an invalid value in a transaction's key. Local reports the type of a key.",
        "It is undocumented which error DynamoDB reports. dynalite has no transactions.",
        VALUE,
        V + "Invalid attribute value type",
        lambda d: d.operation == "TransactGetItems",
    ),
    Open(
        "Dolmen reports an invalid expression. Local reports an invalid key.",
        "If one of two errors does not depend on the table, Dolmen reports this error.",
        V + "(Invalid (Update|Condition)Expression: |ExpressionAttribute(Names|Values) ).*",
        V + "(One or more parameter values .* key|The number of conditions on the keys).*",
    ),
    Open(
        "Dolmen reports that a legacy condition's values have different types. Local reports a "
        "type that the operator does not support.",
        "It is undocumented which error DynamoDB reports. dynalite compares fewer types.",
        OPV + "AttributeValues inside AttributeValueList must be of same type",
        OPV + r"ComparisonOperator \w+ is not valid for \w+ AttributeValue type",
    ),
    Open(
        "Dolmen reports invalid segments. Local reports an invalid Select.",
        "It is undocumented which of two errors DynamoDB reports.",
        V + "The (Total)?Segments? parameter .*",
        SELECT,
    ),
    Open(
        "Local has a different message for a stream without a StreamViewType.",
        "No source has the service's message.",
        OPV + "StreamViewType is required .*",
        V + "Invalid StreamViewType: .*",
    ),
    Open(
        "A request has several errors in legacy parameters, and Local reports a different one than "
        "Dolmen.",
        "It is undocumented which error DynamoDB reports. dynalite reports a third error.",
        f"({LEGACY_FAULT}|{MIXED})",
        f"({LEGACY_FAULT}|{VALUE})",
        is_legacy,
    ),
]

DYNALITE = [
    Open(
        "dynalite reports a key that does not match the schema before equal operands.",
        "If one of two errors does not depend on the table, Dolmen reports this error.",
        V + "Invalid UpdateExpression: The first operand must be distinct.*",
        V + "The provided key element does not match the schema",
    ),
    Known(
        "dynalite's messages about Query's Limit and the RequestItems of BatchGetItem print the "
        "value.",
        "Dolmen has the messages that the service had in September 2026.",
        V + r"\d+ validation errors? detected: (.*; )?Value at '(Limit|RequestItems).*",
        VIOLATIONS,
        breaks_the_same,
    ),
    Known(
        "dynalite's message about a scalar in place of a structure, list or map depends on the "
        "expected type. Dolmen's message depends on the place.",
        "Dolmen has the service's messages.",
        "Serialization: Unexpected (field type|value type in payload)",
        "Serialization: Unexpected (field type|value type in payload)",
    ),
    Open(
        "dynalite's message about mixed parameters does not list ConditionalOperator.",
        "No source has the service's message for this parameter.",
        MIXED,
        MIXED,
        same_but(", ConditionalOperator"),
    ),
    Known(
        "dynalite does not reject an empty name in ExpressionAttributeNames.",
        "Local answers like Dolmen.",
        V + "ExpressionAttributeNames contains invalid value: Empty attribute name .*",
        V + ".*",
    ),
    Open(
        "Dolmen reports the type of an operand. dynalite reports an empty key.",
        "If one of two errors does not depend on the table, Dolmen reports this error.",
        V + "Invalid (Update|Condition)Expression: Incorrect operand type .*",
        OPV + "The AttributeValue for a key attribute cannot contain an empty .*",
    ),
    Open(
        "Dolmen reports the order of binary BETWEEN bounds. dynalite reports invalid segments.",
        "It is undocumented which error DynamoDB reports. Local reports the bounds, too.",
        V + "Invalid FilterExpression: The BETWEEN operator requires .*",
        V + "The (Total)?Segments? parameter .*",
    ),
    Known(
        "dynalite orders the bounds of legacy conditions by UTF-16 code units.",
        "The Developer Guide (Data types) orders strings by the bytes of UTF-8. Local answers "
        "like Dolmen.",
        V + "The BETWEEN condition was provided a range .*",
        ANY_SUCCESS,
        seconded_legacy,
    ),
    Open(
        "dynalite has a different message for a key condition whose type is not the key's type.",
        "Local has a third message.",
        OPV + "Condition parameter type does not match schema type",
        OPV + "ComparisonOperator .* is not valid for .* AttributeValue type",
    ),
    Known(
        "dynalite checks a table name against an older version of the API's model.",
        "In the model of 2024 the name can be an ARN, and an invalid ARN is found by a later "
        "check.",
        VIOLATIONS,
        V + "1 validation error detected: Value .* at 'tableName' failed .* regular expression .*",
        makes_table,
    ),
    Known(
        "dynalite accepts an attribute definition with an empty name.",
        "The API's model does not allow an empty name.",
        VIOLATIONS,
        ".*",
        only_breaks(r"attributeDefinitions\.\d+\.member\.attributeName"),
    ),
    Open(
        "Dolmen reports the update of a key attribute. dynalite reports a key that does not match "
        "the schema.",
        "It is undocumented which of two errors DynamoDB reports.",
        OPV + "Cannot update attribute .*",
        V + "The provided key element does not match the schema",
    ),
    Known(
        "dynalite accepts invalid values in Expected.",
        "Both peers reject these values in other parameters.",
        VALUE,
        ANY_SUCCESS,
        lambda d: "Expected" in d.request,
    ),
    Known(
        "dynalite does not check the JSON type of ReturnValuesOnConditionCheckFailure.",
        "The API reference has listed this parameter since 2023.",
        TYPES,
        ANY_SUCCESS,
        lambda d: "ReturnValuesOnConditionCheckFailure" in d.request,
    ),
    Known(
        "dynalite's NOT_CONTAINS holds for an absent attribute.",
        "The service's NOT_CONTAINS does not hold for an absent attribute. Local answers like Dolmen.",
        ANY_SUCCESS,
        ANY_SUCCESS,
        uses_not_contains,
    ),
    Open(
        "Dolmen reports an invalid value. dynalite reports an invalid structure of Expected.",
        "It is undocumented which of two errors DynamoDB reports.",
        VALUE,
        OPV + ".*",
        lambda d: "Expected" in d.request,
    ),
    Open(
        "In a batch, Dolmen reports an invalid value. dynalite reports an invalid projection.",
        "It is undocumented which error DynamoDB reports. Local reports the value, with a "
        "different message.",
        VALUE,
        V + "Invalid ProjectionExpression: .*",
    ),
    Open(
        "dynalite has a different message for invalid Base64.",
        "dynalite has one message for all errors of Base64. dynalite itself says that it needs "
        "more messages.",
        "Serialization: (Invalid Base64|Base64|only base-64).*",
        "Serialization: (Invalid last non-pad|Base64|only base-64).*",
    ),
    Known(
        "dynalite rejects legacy EQ and NE conditions on NULL, BOOL, lists and maps.",
        "The API reference (Condition) says that EQ and NE accept every type. Local answers like "
        "Dolmen.",
        ".*",
        OPV + "ComparisonOperator (EQ|NE) is not valid for (NULL|BOOL|L|M) AttributeValue type",
        is_legacy,
    ),
    Known(
        "dynalite does not check the types of the values in Expected.",
        "The API reference (ExpectedAttributeValue) lists the types. Local answers like Dolmen.",
        OPV + r"ComparisonOperator \w+ is not valid for \w+ AttributeValue type",
        ANY_SUCCESS,
        lambda d: "Expected" in d.request,
    ),
    Known(
        "dynalite requires all entries of Expected to hold, even with OR.",
        "The API reference (ConditionalOperator) requires only one entry to hold. Local answers "
        "like Dolmen.",
        "success",
        FAILED,
        lambda d: seconded(d) and d.request.get("ConditionalOperator") == "OR",
    ),
    Known(
        "dynalite's legacy conditions compare documents by different rules than Dolmen.",
        "Local answers like Dolmen.",
        ANY_SUCCESS,
        ANY_SUCCESS,
        seconded_legacy,
    ),
    Known(
        "dynalite accepts a Select that conflicts with legacy parameters.",
        "Local answers like Dolmen.",
        V + "(ALL_PROJECTED_ATTRIBUTES can|Must specify the AttributesToGet|Cannot specify the).*",
        "success",
        lambda d: seconded(d) or is_legacy(d),
    ),
    Known(
        "dynalite accepts a ConditionalOperator with a single condition.",
        "Local answers like Dolmen.",
        V + "ConditionalOperator can only be used when .*",
        ".*",
        seconded,
    ),
    Known(
        "dynalite checks the stored type for a legacy ADD before it checks the condition.",
        "DynamoDB does not evaluate an update whose condition fails. Local answers like Dolmen.",
        FAILED,
        V + "Type mismatch for attribute to update",
        seconded,
    ),
    Known(
        "dynalite accepts a stream without a StreamViewType.",
        "Local rejects this stream.",
        OPV + "StreamViewType is required .*",
        "success",
    ),
    Known(
        "dynalite's messages about constraints print structures in a different form.",
        "The service prints structures in the form of Java.",
        VIOLATIONS,
        VIOLATIONS,
        same_but(r"Value '\[.*\]'"),
    ),
    Known(
        "dynalite does not check some constraints of the API's model.",
        "The API's model contains these constraints.",
        VIOLATIONS,
        VIOLATIONS,
        tells_fewer,
    ),
    Open(
        "dynalite reports a different error about JSON types than Dolmen.",
        "The request has several errors, or a message contains text of the service's Java code.",
        "Serialization: .+",
        "Serialization: .+",
    ),
    Open(
        "A request has several invalid values, and dynalite reports a different error than Dolmen.",
        "It is undocumented which of two errors DynamoDB reports.",
        VALUE,
        f"({VALUE}|{OPV}ComparisonOperator .*)",
    ),
    Known(
        "dynalite requires all entries of QueryFilter to hold, even with OR.",
        "The API reference (ConditionalOperator) requires only one entry to hold.",
        "success",
        "success",
        lambda d: d.request.get("ConditionalOperator") == "OR" and uses_not_contains(d),
    ),
    Known(
        "dynalite creates a table with an unused attribute definition, or with an INCLUDE "
        "projection that names no attributes.",
        "Dolmen has the service's messages. Local rejects the request with a different message.",
        OPV + "(Some AttributeDefinitions are not used|ProjectionType is INCLUDE, but).*",
        "success",
        makes_table,
    ),
    Open(
        "dynalite reports a failed condition. Dolmen reports that ADD does not support the stored "
        "type.",
        "dynalite requires all entries of Expected to hold, even with OR.",
        V + "Type mismatch for attribute to update",
        FAILED,
        lambda d: d.request.get("ConditionalOperator") == "OR",
    ),
    Open(
        "dynalite rejects a request to a new table that is still being created.",
        "The result depends on timing.",
        "success",
        "ResourceInUse: Attempt to change a resource .* Table is being created: .*",
    ),
    Known(
        "dynalite accepts null entries in a list or map of names.",
        "The API's model does not allow null entries.",
        VIOLATIONS,
        ".*",
        only_breaks(r"[\w.]*(attributesToGet|expressionAttributeNames)\.[^']*"),
    ),
    Known(
        "dynalite treats Segment 0 as if the request had no Segment.",
        "The API reference (Scan) says that the first segment is 0. Local answers like Dolmen.",
        V + "The TotalSegments parameter is required .*",
        ".*",
        lambda d: d.request.get("Segment") == 0,
    ),
    Known(
        "dynalite does not check the ranges of Segment and TotalSegments, and the Action of a "
        "legacy update.",
        "The API's model contains these constraints.",
        VIOLATIONS,
        ".*",
        only_breaks("segment", "totalSegments", r"attributeUpdates\.\w+\.member\.action"),
    ),
    Known(
        "dynalite does not check the constraints of index keys and null elements in CreateTable.",
        "The API's model contains these constraints.",
        VIOLATIONS,
        V + ".*",
        makes_table,
    ),
]

# These entries come last, so they apply only to a difference that no other entry explains.
WITNESSED = [
    Open(
        "A request has several errors, and the peer reports a different one than Dolmen.",
        "It is undocumented which error DynamoDB reports. The other peer answers like Dolmen.",
        FAULT,
        FAULT,
        seconded,
    ),
]

WIRE = {"local": BOTH + LOCAL + WITNESSED, "dynalite": BOTH + DYNALITE + WITNESSED}
