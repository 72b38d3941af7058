"""What the peers are known to answer otherwise to requests that only the wire can express."""

import re

from known import ANY_SUCCESS, D, FAILED, Known, N, V, same_but, seconded

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
    """Whether somebody else refuses it, too: dynalite, which has no transactions, or the peer."""
    transaction = difference.operation.startswith("Transact")
    return not transaction or "error" in difference.other


def makes_table(difference):
    return difference.operation == "CreateTable"


def uses_not_contains(difference):
    return "NOT_CONTAINS" in str(difference.request)


def deletes_attributes_alone(request):
    updates = request.get("AttributeUpdates")
    return bool(updates) and all(u.get("Action") == "DELETE" for u in updates.values())


def follows_deletes_alone(difference):
    """Whether an update has deleted attributes, and done nothing else, here or before."""
    requests = [difference.request, *(request for _, request in difference.before)]
    return any(deletes_attributes_alone(request) for request in requests)


def violations(text):
    """The constraints that were broken, and where; values are printed in several ways."""
    told = re.split("; (?=Value )", text.split(" detected: ", 1)[-1])
    return {re.sub("^Value .* at '", "at '", one, flags=re.S) for one in told}


def tells_fewer(difference):
    """Whether the peer tells some of the constraints that Dolmen tells."""
    return violations(difference.other["message"]) < violations(difference.dolmen["message"])


def only_breaks(*paths):
    """Whether all broken constraints are of these members."""

    def where(difference):
        told = violations(difference.dolmen["message"])
        return all(re.search(f"^at '({'|'.join(paths)})' failed", one) for one in told)

    return where


SELECT = V + (
    "((Cannot specify the (AttributesToGet|ProjectionExpression)|Must specify the AttributesToGet or "
    "ProjectionExpression) when choosing to get|ALL_PROJECTED_ATTRIBUTES can be used only when) .*"
)
FAULT = f"({V}.*|{TYPES}|{FAILED})"


def of_both(*entry):
    """What is known of each peer, whether or not the other one answers alike."""
    name, *others = entry
    return [Known(name, peer, *others) for peer in ("local", "dynalite")]


BOTH = [
    *of_both(
        "Select and what is projected, or the table",
        N,
        "several faults of one request; Dolmen tells first what it sees without the table",
        SELECT,
        V + ".*",
    ),
    *of_both(
        "which of the faults of evaluating an older update is told",
        N,
        "both faults of one request; not documented",
        f"{V}(Attempting to store|Number (over|under)flow|Type mismatch for attribute|.*ADD action).*",
        f"{V}(Attempting to store|Number (over|under)flow|Type mismatch for attribute).*",
        lambda d: "AttributeUpdates" in d.request,
    ),
    *of_both(
        "an older update that only deletes makes an item",
        D,
        "Developer Guide, AttributeUpdates: without an item, DELETE does nothing",
        ANY_SUCCESS,
        ANY_SUCCESS,
        follows_deletes_alone,
    ),
]

LOCAL = [
    Known(
        "few constraints of the API's model are checked, and with other words",
        "local",
        D,
        "the API's model; dynalite alike",
        VIOLATIONS,
        ".*",
        is_checked,
    ),
    Known(
        "what transactions say of answers and tokens is not checked",
        "local",
        D,
        "the API's model; dynalite has no transactions",
        VIOLATIONS,
        ANY_SUCCESS,
        only_breaks(
            "returnConsumedCapacity", "returnItemCollectionMetrics", "clientRequestToken"
        ),
    ),
    Known(
        "few types of JSON are checked, and with other words",
        "local",
        D,
        "dynalite alike",
        TYPES,
        ".*",
        is_checked,
    ),
    Known(
        "words for a table that is not there",
        "local",
        D,
        "the service's texts; dynalite alike",
        "ResourceNotFound: Requested resource not found.*",
        "ResourceNotFound: Cannot do operations on a non-existent table",
    ),
    Known(
        "faults of older parameters: their words and their order",
        "local",
        D,
        "dynalite alike",
        V + ".*",
        f"({V}.*|{FAILED})",
        seconded_legacy,
    ),
    Known(
        "faults of a table that is made: their words and their order",
        "local",
        D,
        "the service's texts; dynalite mostly alike",
        V + ".*",
        V + ".*",
        makes_table,
    ),
    Known(
        "null entries of a map of values",
        "local",
        N,
        "null is nothing elsewhere; dynalite breaks down",
        ".*",
        V + ".*The supplied Item contains a null AttributeValue.*",
    ),
    Known(
        "keys of TransactGetItems that do not fit are reasons",
        "local",
        D,
        "they are wrong whatever the items",
        V + "The provided key element does not match the schema",
        "TransactionCanceled: .*",
    ),
    Known(
        "faults of keys or of a projection",
        "local",
        N,
        "both faults of one request; dynalite as Dolmen",
        V + "Invalid ProjectionExpression: .*",
        V + ".*key.*",
    ),
    Known(
        "faults of values or of a condition in a transaction",
        "local",
        N,
        "both faults of one request; not documented",
        VALUE,
        V + "Invalid (Condition|Update)Expression: .*",
    ),
    Known(
        "segments before expressions",
        "local",
        N,
        "both faults of one request; dynalite as Dolmen",
        V + "The (Total)?Segments? parameter .*",
        V + ".*",
        seconded,
    ),
    Known(
        "what is wrong with a table that Local makes all the same",
        "local",
        D,
        "dynalite alike",
        V + ".*",
        "success",
        lambda d: seconded(d) and makes_table(d),
    ),
    Known(
        "NOT_CONTAINS of an attribute that the item lacks",
        "local",
        N,
        "not documented; true with dynalite, false with Local",
        ANY_SUCCESS,
        ANY_SUCCESS,
        uses_not_contains,
    ),
    Known(
        "faults of a value or of an expression",
        "local",
        N,
        "both faults of one request; dynalite as Dolmen",
        VALUE,
        V + ".*",
        seconded,
    ),
    Known(
        "older conditions take values of any type",
        "local",
        D,
        "API reference, Condition: S, N and B only",
        OPV + r"ComparisonOperator \w+ is not valid for \w+ AttributeValue type",
        ANY_SUCCESS,
    ),
    Known(
        "words for doubles in a set",
        "local",
        D,
        "dynalite alike",
        V + ".*Input collection.*contains duplicates.*",
        V + ".*Input collection.*contains duplicates.*",
    ),
    Known(
        "words for segments",
        "local",
        D,
        "the service's texts; dynalite alike",
        V + "The (Total)?Segments? parameter .*",
        V + "(If (total segments|segment) is specified.*|1 validation error .* at 'segment'.*)",
    ),
    Known(
        "the size of an item is checked before its values",
        "local",
        N,
        "both faults of one request; dynalite as Dolmen",
        V + ".*",
        V + "Item size has exceeded the maximum allowed size",
        seconded,
    ),
    Known(
        "words for one attribute twice in AttributesToGet",
        "local",
        D,
        "dynalite alike where it does not break down",
        OPV + "Duplicate value in attribute name: .*",
        V + "Cannot have two attributes with the same name",
    ),
    Known(
        "a number for a string in a transaction is let through",
        "local",
        D,
        "both peers refuse it elsewhere",
        "Serialization: (DECIMAL_VALUE|NUMBER_VALUE) cannot be converted to String",
        "success",
        lambda d: d.operation.startswith("Transact"),
    ),
    Known(
        "which of the faults of a transaction's keys is told",
        "local",
        N,
        "both faults of one request; dynalite has no transactions",
        VALUE,
        V + "Invalid attribute value type",
        lambda d: d.operation == "TransactGetItems",
    ),
    Known(
        "faults of expressions, or of a key's value",
        "local",
        N,
        "both faults of one request; Dolmen tells first what it sees without the table",
        V + "(Invalid (Update|Condition)Expression: |ExpressionAttribute(Names|Values) ).*",
        V + "(One or more parameter values .* key|The number of conditions on the keys).*",
    ),
    Known(
        "which of the faults of an older condition's values is told",
        "local",
        N,
        "both faults of one request; dynalite compares fewer types",
        OPV + "AttributeValues inside AttributeValueList must be of same type",
        OPV + r"ComparisonOperator \w+ is not valid for \w+ AttributeValue type",
    ),
    Known(
        "faults of segments, or of what is selected",
        "local",
        N,
        "both faults of one request; not documented",
        V + "The (Total)?Segments? parameter .*",
        SELECT,
    ),
    Known(
        "words for a stream without view type",
        "local",
        N,
        "no source has the service's text",
        OPV + "StreamViewType is required .*",
        V + "Invalid StreamViewType: .*",
    ),
]

DYNALITE = [
    Known(
        "empty names are not looked for",
        "dynalite",
        D,
        "DynamoDB Local",
        V + "ExpressionAttributeNames contains invalid value: Empty attribute name .*",
        V + ".*",
    ),
    Known(
        "types of operands are not checked, but an empty key is found",
        "dynalite",
        N,
        "both faults of one request; Dolmen tells first what it sees without the table",
        V + "Invalid (Update|Condition)Expression: Incorrect operand type .*",
        OPV + "The AttributeValue for a key attribute cannot contain an empty .*",
    ),
    Known(
        "binary bounds of BETWEEN are not compared, but segments are",
        "dynalite",
        N,
        "both faults of one request; DynamoDB Local tells the bounds', too",
        V + "Invalid FilterExpression: The BETWEEN operator requires .*",
        V + "The (Total)?Segments? parameter .*",
    ),
    Known(
        "bounds of older conditions are ordered by UTF-16 units",
        "dynalite",
        D,
        "Developer Guide, Data types: by the bytes of UTF-8; DynamoDB Local",
        V + "The BETWEEN condition was provided a range .*",
        ANY_SUCCESS,
        seconded_legacy,
    ),
    Known(
        "words for a key condition of another type than the key",
        "dynalite",
        N,
        "three different answers",
        OPV + "Condition parameter type does not match schema type",
        OPV + "ComparisonOperator .* is not valid for .* AttributeValue type",
    ),
    Known(
        "a table's name is constrained by the API's model",
        "dynalite",
        D,
        "the model of 2024: it may be an ARN, and what is none is found later",
        VIOLATIONS,
        V + "1 validation error detected: Value .* at 'tableName' failed .* regular expression .*",
        makes_table,
    ),
    Known(
        "an attribute's definition may have an empty name",
        "dynalite",
        D,
        "the API's model",
        VIOLATIONS,
        ".*",
        only_breaks(r"attributeDefinitions\.\d+\.member\.attributeName"),
    ),
    Known(
        "a key attribute that is updated, or a key that does not fit the schema",
        "dynalite",
        N,
        "both faults of one request; not documented",
        OPV + "Cannot update attribute .*",
        V + "The provided key element does not match the schema",
    ),
    Known(
        "doubles in sets of Expected are let through",
        "dynalite",
        D,
        "both peers refuse them elsewhere",
        VALUE,
        FAILED,
        lambda d: "Expected" in d.request,
    ),
    Known(
        "ReturnValuesOnConditionCheckFailure is not known, nor its type",
        "dynalite",
        D,
        "API reference, 2023",
        TYPES,
        ANY_SUCCESS,
        lambda d: "ReturnValuesOnConditionCheckFailure" in d.request,
    ),
    Known(
        "an absent attribute's NOT_CONTAINS among expectations joined by OR",
        "dynalite",
        N,
        "not documented, and dynalite needs all of them",
        ANY_SUCCESS,
        FAILED,
        lambda d: uses_not_contains(d) and d.request.get("ConditionalOperator") == "OR",
    ),
    Known(
        "faults of a value, or of how Expected is put together",
        "dynalite",
        N,
        "both faults of one request; not documented",
        VALUE,
        OPV + ".* for Attribute: .*",
        lambda d: "Expected" in d.request,
    ),
    Known(
        "faults of a value or of a projection in a batch",
        "dynalite",
        N,
        "both faults of one request; DynamoDB Local tells the value's, too, in other words",
        VALUE,
        V + "Invalid ProjectionExpression: .*",
    ),
    Known(
        "words for what is no base64",
        "dynalite",
        N,
        "dynalite has one text for all of it, and says itself that it needs more",
        "Serialization: (Invalid Base64|Base64|only base-64).*",
        "Serialization: (Invalid last non-pad|Base64|only base-64).*",
    ),
    Known(
        "older conditions compare scalars and sets only",
        "dynalite",
        D,
        "API reference, Condition: EQ and NE have any type; DynamoDB Local",
        ".*",
        OPV + "ComparisonOperator (EQ|NE) is not valid for (NULL|BOOL|L|M) AttributeValue type",
        is_legacy,
    ),
    Known(
        "Expected's values are not checked for their type",
        "dynalite",
        D,
        "API reference, ExpectedAttributeValue; DynamoDB Local",
        OPV + r"ComparisonOperator \w+ is not valid for \w+ AttributeValue type",
        ANY_SUCCESS,
        lambda d: "Expected" in d.request,
    ),
    Known(
        "Expected's entries are all of them needed, whatever the ConditionalOperator",
        "dynalite",
        D,
        "API reference, ConditionalOperator; DynamoDB Local",
        "success",
        FAILED,
        lambda d: seconded(d) and d.request.get("ConditionalOperator") == "OR",
    ),
    Known(
        "documents compared by older conditions",
        "dynalite",
        D,
        "DynamoDB Local",
        ANY_SUCCESS,
        ANY_SUCCESS,
        seconded_legacy,
    ),
    Known(
        "Select beside older parameters is not checked",
        "dynalite",
        D,
        "DynamoDB Local",
        V + "(ALL_PROJECTED_ATTRIBUTES can|Must specify the AttributesToGet|Cannot specify the).*",
        "success",
        seconded,
    ),
    Known(
        "a ConditionalOperator for a single condition is let through",
        "dynalite",
        D,
        "DynamoDB Local",
        V + "ConditionalOperator can only be used when .*",
        ".*",
        seconded,
    ),
    Known(
        "the type of what an older update adds to is checked before the condition",
        "dynalite",
        D,
        "no update is evaluated whose condition fails; DynamoDB Local",
        FAILED,
        V + "Type mismatch for attribute to update",
        seconded,
    ),
    Known(
        "a stream without view type is let through",
        "dynalite",
        D,
        "DynamoDB Local refuses it",
        OPV + "StreamViewType is required .*",
        "success",
    ),
    Known(
        "structures in the text of a constraint are printed otherwise",
        "dynalite",
        D,
        "the service prints Java's form",
        VIOLATIONS,
        VIOLATIONS,
        same_but(r"Value '\[.*\]'"),
    ),
    Known(
        "some constraints of the API's model are not checked",
        "dynalite",
        D,
        "the API's model",
        VIOLATIONS,
        VIOLATIONS,
        tells_fewer,
    ),
    Known(
        "which fault of types is told",
        "dynalite",
        N,
        "several faults of one request, or a text of Java's own; not documented",
        "Serialization: .+",
        "Serialization: .+",
    ),
    Known(
        "which fault of values is told",
        "dynalite",
        N,
        "several faults of one request; not documented",
        VALUE,
        f"({VALUE}|{OPV}ComparisonOperator .*)",
    ),
    Known(
        "QueryFilter's entries are all of them needed, whatever the ConditionalOperator",
        "dynalite",
        D,
        "API reference, ConditionalOperator",
        "success",
        "success",
        lambda d: d.request.get("ConditionalOperator") == "OR" and uses_not_contains(d),
    ),
    Known(
        "some faults of a table are not looked for",
        "dynalite",
        D,
        "the service's texts; DynamoDB Local refuses them, with other words",
        OPV + "(Some AttributeDefinitions are not used|ProjectionType is INCLUDE, but).*",
        "success",
        makes_table,
    ),
    Known(
        "the condition is tested before the stored type of what an update adds to",
        "dynalite",
        N,
        "with several expectations joined by OR, of which dynalite needs all",
        V + "Type mismatch for attribute to update",
        FAILED,
        lambda d: d.request.get("ConditionalOperator") == "OR",
    ),
    Known(
        "a table that is made needs a moment",
        "dynalite",
        N,
        "it depends on the time",
        "success",
        "ResourceInUse: Attempt to change a resource .* Table is being created: .*",
    ),
    Known(
        "a list or map of names may have null entries",
        "dynalite",
        D,
        "the API's model",
        VIOLATIONS,
        ".*",
        only_breaks(r"[\w.]*(attributesToGet|expressionAttributeNames)\.[^']*"),
    ),
    Known(
        "segment 0 is taken for none",
        "dynalite",
        D,
        "API reference, Scan: the first segment is 0; DynamoDB Local refuses it alike",
        V + "The TotalSegments parameter is required .*",
        ".*",
        lambda d: d.request.get("Segment") == 0,
    ),
    Known(
        "the bounds of segments and an update's action are not checked",
        "dynalite",
        D,
        "the API's model",
        VIOLATIONS,
        ".*",
        only_breaks("segment", "totalSegments", r"attributeUpdates\.\w+\.member\.action"),
    ),
]

# What is said of it above comes first.
WITNESSED = of_both(
    "one of several faults of a request, of which the other peer tells Dolmen's",
    N,
    "not documented",
    FAULT,
    FAULT,
    seconded,
)

WIRE = BOTH + LOCAL + DYNALITE + WITNESSED
