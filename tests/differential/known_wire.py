"""Known differences of the peers from Dolmen in requests that only the wire can express."""

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
    """Returns true for a rejected transaction, and for any other operation.

    A transaction that the peer accepts has not been checked: dynalite has no transactions.
    """
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
    """Returns true if this or an earlier update of the case only deletes attributes."""
    requests = [difference.request, *(request for _, request in difference.before)]
    return any(deletes_attributes_alone(request) for request in requests)


def violations(text):
    """Returns the violations in a message without the values, which the peers print differently."""
    told = re.split("; (?=Value )", text.split(" detected: ", 1)[-1])
    return {re.sub("^Value .* at '", "at '", one, flags=re.S) for one in told}


def tells_fewer(difference):
    """Returns true if the peer reports some of the violations that Dolmen reports, but not all."""
    return violations(difference.other["message"]) < violations(difference.dolmen["message"])


def only_breaks(*paths):
    """Returns a function that tests whether all violations concern members that `paths` match."""

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
    """Returns two entries for the same difference, one for each peer."""
    name, *others = entry
    return [Known(name, peer, *others) for peer in ("local", "dynalite")]


BOTH = [
    *of_both(
        "faults of Select and the projection, or of the table",
        N,
        "several faults in one request; Dolmen first reports a fault that needs no table",
        SELECT,
        V + ".*",
    ),
    *of_both(
        "another fault in evaluating a legacy update is reported",
        N,
        "two faults in one request; undocumented",
        f"{V}(Attempting to store|Number (over|under)flow|Type mismatch for attribute|.*ADD action).*",
        f"{V}(Attempting to store|Number (over|under)flow|Type mismatch for attribute).*",
        lambda d: "AttributeUpdates" in d.request,
    ),
    *of_both(
        "a legacy update that only deletes attributes creates an item",
        D,
        "Developer Guide, AttributeUpdates: DELETE does nothing without an item",
        ANY_SUCCESS,
        ANY_SUCCESS,
        follows_deletes_alone,
    ),
]

LOCAL = [
    Known(
        "few constraints of the API's model are checked, and with other messages",
        "local",
        D,
        "the API's model; dynalite agrees",
        VIOLATIONS,
        ".*",
        is_checked,
    ),
    Known(
        "a transaction's tokens and the members that select its response are not checked",
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
        "few JSON types are checked, and with other messages",
        "local",
        D,
        "dynalite agrees",
        TYPES,
        ".*",
        is_checked,
    ),
    Known(
        "the message for a missing table",
        "local",
        D,
        "the service's messages; dynalite agrees",
        "ResourceNotFound: Requested resource not found.*",
        "ResourceNotFound: Cannot do operations on a non-existent table",
    ),
    Known(
        "faults of legacy parameters: their messages and their order",
        "local",
        D,
        "dynalite agrees",
        V + ".*",
        f"({V}.*|{FAILED})",
        seconded_legacy,
    ),
    Known(
        "faults of CreateTable: their messages and their order",
        "local",
        D,
        "the service's messages; dynalite mostly agrees",
        V + ".*",
        V + ".*",
        makes_table,
    ),
    Known(
        "null entries in a map of values",
        "local",
        N,
        "null means absent elsewhere; dynalite breaks down",
        ".*",
        V + ".*The supplied Item contains a null AttributeValue.*",
    ),
    Known(
        "keys of TransactGetItems that do not match the schema are cancellation reasons",
        "local",
        D,
        "the keys are wrong for every item",
        V + "The provided key element does not match the schema",
        "TransactionCanceled: .*",
    ),
    Known(
        "faults of keys, or of a projection",
        "local",
        N,
        "two faults in one request; undocumented; dynalite agrees with Dolmen",
        V + "Invalid ProjectionExpression: .*",
        V + ".*key.*",
    ),
    Known(
        "faults of values, or of a condition, in a transaction",
        "local",
        N,
        "two faults in one request; undocumented",
        VALUE,
        V + "Invalid (Condition|Update)Expression: .*",
    ),
    Known(
        "expressions are checked before segments",
        "local",
        N,
        "two faults in one request; undocumented; dynalite agrees with Dolmen",
        V + "The (Total)?Segments? parameter .*",
        V + ".*",
        seconded,
    ),
    Known(
        "an invalid table is created",
        "local",
        D,
        "dynalite agrees",
        V + ".*",
        "success",
        lambda d: seconded(d) and makes_table(d),
    ),
    Known(
        "another result of NOT_CONTAINS for an absent attribute",
        "local",
        N,
        "undocumented; true in dynalite, false in Local",
        ANY_SUCCESS,
        ANY_SUCCESS,
        uses_not_contains,
    ),
    Known(
        "faults of a value, or of an expression",
        "local",
        N,
        "two faults in one request; undocumented; dynalite agrees with Dolmen",
        VALUE,
        V + ".*",
        seconded,
    ),
    Known(
        "legacy conditions accept values of any type",
        "local",
        D,
        "API reference, Condition: S, N and B only",
        OPV + r"ComparisonOperator \w+ is not valid for \w+ AttributeValue type",
        ANY_SUCCESS,
    ),
    Known(
        "the message for duplicates in a set",
        "local",
        D,
        "dynalite agrees",
        V + ".*Input collection.*contains duplicates.*",
        V + ".*Input collection.*contains duplicates.*",
    ),
    Known(
        "the messages for segments",
        "local",
        D,
        "the service's messages; dynalite agrees",
        V + "The (Total)?Segments? parameter .*",
        V + "(If (total segments|segment) is specified.*|1 validation error .* at 'segment'.*)",
    ),
    Known(
        "the size of an item is checked before its values",
        "local",
        N,
        "two faults in one request; undocumented; dynalite agrees with Dolmen",
        V + ".*",
        V + "Item size has exceeded the maximum allowed size",
        seconded,
    ),
    Known(
        "the message for a duplicate attribute in AttributesToGet",
        "local",
        D,
        "dynalite agrees where it does not break down",
        OPV + "Duplicate value in attribute name: .*",
        V + "Cannot have two attributes with the same name",
    ),
    Known(
        "a number is accepted for a string in a transaction",
        "local",
        D,
        "both peers reject it elsewhere",
        "Serialization: (DECIMAL_VALUE|NUMBER_VALUE) cannot be converted to String",
        "success",
        lambda d: d.operation.startswith("Transact"),
    ),
    Known(
        "another fault of a transaction's keys",
        "local",
        N,
        "two faults in one request; dynalite has no transactions",
        VALUE,
        V + "Invalid attribute value type",
        lambda d: d.operation == "TransactGetItems",
    ),
    Known(
        "faults of expressions, or of a key's value",
        "local",
        N,
        "two faults in one request; Dolmen first reports a fault that needs no table",
        V + "(Invalid (Update|Condition)Expression: |ExpressionAttribute(Names|Values) ).*",
        V + "(One or more parameter values .* key|The number of conditions on the keys).*",
    ),
    Known(
        "another fault of a legacy condition's values is reported",
        "local",
        N,
        "two faults in one request; dynalite compares fewer types",
        OPV + "AttributeValues inside AttributeValueList must be of same type",
        OPV + r"ComparisonOperator \w+ is not valid for \w+ AttributeValue type",
    ),
    Known(
        "faults of segments, or of Select",
        "local",
        N,
        "two faults in one request; undocumented",
        V + "The (Total)?Segments? parameter .*",
        SELECT,
    ),
    Known(
        "the message for a stream without a view type",
        "local",
        N,
        "no source has the service's message",
        OPV + "StreamViewType is required .*",
        V + "Invalid StreamViewType: .*",
    ),
]

DYNALITE = [
    Known(
        "empty names are accepted",
        "dynalite",
        D,
        "Local agrees",
        V + "ExpressionAttributeNames contains invalid value: Empty attribute name .*",
        V + ".*",
    ),
    Known(
        "operand types are not checked, and an empty key is reported",
        "dynalite",
        N,
        "two faults in one request; Dolmen first reports a fault that needs no table",
        V + "Invalid (Update|Condition)Expression: Incorrect operand type .*",
        OPV + "The AttributeValue for a key attribute cannot contain an empty .*",
    ),
    Known(
        "binary BETWEEN bounds are not compared, and segments are reported",
        "dynalite",
        N,
        "two faults in one request; Local also reports the bounds",
        V + "Invalid FilterExpression: The BETWEEN operator requires .*",
        V + "The (Total)?Segments? parameter .*",
    ),
    Known(
        "bounds of legacy conditions are ordered by UTF-16 code units",
        "dynalite",
        D,
        "Developer Guide, Data types: by the bytes of UTF-8; Local agrees",
        V + "The BETWEEN condition was provided a range .*",
        ANY_SUCCESS,
        seconded_legacy,
    ),
    Known(
        "the message for a key condition of another type than the key",
        "dynalite",
        N,
        "the three implementations have three messages",
        OPV + "Condition parameter type does not match schema type",
        OPV + "ComparisonOperator .* is not valid for .* AttributeValue type",
    ),
    Known(
        "a table name is checked against the API's older model",
        "dynalite",
        D,
        "the model of 2024: the name can be an ARN, and an invalid ARN is found later",
        VIOLATIONS,
        V + "1 validation error detected: Value .* at 'tableName' failed .* regular expression .*",
        makes_table,
    ),
    Known(
        "an attribute definition with an empty name is accepted",
        "dynalite",
        D,
        "the API's model",
        VIOLATIONS,
        ".*",
        only_breaks(r"attributeDefinitions\.\d+\.member\.attributeName"),
    ),
    Known(
        "an updated key attribute, or a key that does not match the schema",
        "dynalite",
        N,
        "two faults in one request; undocumented",
        OPV + "Cannot update attribute .*",
        V + "The provided key element does not match the schema",
    ),
    Known(
        "duplicates in sets of Expected are accepted",
        "dynalite",
        D,
        "both peers reject them elsewhere",
        VALUE,
        FAILED,
        lambda d: "Expected" in d.request,
    ),
    Known(
        "the type of ReturnValuesOnConditionCheckFailure is not checked",
        "dynalite",
        D,
        "API reference, 2023",
        TYPES,
        ANY_SUCCESS,
        lambda d: "ReturnValuesOnConditionCheckFailure" in d.request,
    ),
    Known(
        "another result of NOT_CONTAINS for an absent attribute, in Expected with OR",
        "dynalite",
        N,
        "undocumented; dynalite requires all entries of Expected to hold",
        ANY_SUCCESS,
        FAILED,
        lambda d: uses_not_contains(d) and d.request.get("ConditionalOperator") == "OR",
    ),
    Known(
        "faults of a value, or of the structure of Expected",
        "dynalite",
        N,
        "two faults in one request; undocumented",
        VALUE,
        OPV + ".* for Attribute: .*",
        lambda d: "Expected" in d.request,
    ),
    Known(
        "faults of a value, or of a projection, in a batch",
        "dynalite",
        N,
        "two faults in one request; Local also reports the value, with another message",
        VALUE,
        V + "Invalid ProjectionExpression: .*",
    ),
    Known(
        "the message for invalid Base64",
        "dynalite",
        N,
        "dynalite has one message for every fault, and says itself that it needs more",
        "Serialization: (Invalid Base64|Base64|only base-64).*",
        "Serialization: (Invalid last non-pad|Base64|only base-64).*",
    ),
    Known(
        "legacy conditions compare scalars and sets only",
        "dynalite",
        D,
        "API reference, Condition: EQ and NE accept any type; Local agrees",
        ".*",
        OPV + "ComparisonOperator (EQ|NE) is not valid for (NULL|BOOL|L|M) AttributeValue type",
        is_legacy,
    ),
    Known(
        "the types of Expected's values are not checked",
        "dynalite",
        D,
        "API reference, ExpectedAttributeValue; Local agrees",
        OPV + r"ComparisonOperator \w+ is not valid for \w+ AttributeValue type",
        ANY_SUCCESS,
        lambda d: "Expected" in d.request,
    ),
    Known(
        "all entries of Expected must hold, even with OR",
        "dynalite",
        D,
        "API reference, ConditionalOperator; Local agrees",
        "success",
        FAILED,
        lambda d: seconded(d) and d.request.get("ConditionalOperator") == "OR",
    ),
    Known(
        "legacy conditions compare documents in another way",
        "dynalite",
        D,
        "Local agrees",
        ANY_SUCCESS,
        ANY_SUCCESS,
        seconded_legacy,
    ),
    Known(
        "Select is not checked against legacy parameters",
        "dynalite",
        D,
        "Local agrees",
        V + "(ALL_PROJECTED_ATTRIBUTES can|Must specify the AttributesToGet|Cannot specify the).*",
        "success",
        seconded,
    ),
    Known(
        "a ConditionalOperator for a single condition is accepted",
        "dynalite",
        D,
        "Local agrees",
        V + "ConditionalOperator can only be used when .*",
        ".*",
        seconded,
    ),
    Known(
        "a legacy ADD checks the stored type before the condition",
        "dynalite",
        D,
        "an update is not evaluated if its condition fails; Local agrees",
        FAILED,
        V + "Type mismatch for attribute to update",
        seconded,
    ),
    Known(
        "a stream without a view type is accepted",
        "dynalite",
        D,
        "Local rejects it",
        OPV + "StreamViewType is required .*",
        "success",
    ),
    Known(
        "messages about constraints print structures in another form",
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
        "another fault of JSON types is reported",
        "dynalite",
        N,
        "several faults in one request, or a message of Java's own; undocumented",
        "Serialization: .+",
        "Serialization: .+",
    ),
    Known(
        "another fault of values",
        "dynalite",
        N,
        "several faults in one request; undocumented",
        VALUE,
        f"({VALUE}|{OPV}ComparisonOperator .*)",
    ),
    Known(
        "all entries of QueryFilter must hold, even with OR",
        "dynalite",
        D,
        "API reference, ConditionalOperator",
        "success",
        "success",
        lambda d: d.request.get("ConditionalOperator") == "OR" and uses_not_contains(d),
    ),
    Known(
        "some faults of CreateTable are not checked",
        "dynalite",
        D,
        "the service's messages; Local rejects them, with other messages",
        OPV + "(Some AttributeDefinitions are not used|ProjectionType is INCLUDE, but).*",
        "success",
        makes_table,
    ),
    Known(
        "the condition fails before ADD checks the stored type",
        "dynalite",
        N,
        "dynalite requires all entries of Expected to hold, even with OR",
        V + "Type mismatch for attribute to update",
        FAILED,
        lambda d: d.request.get("ConditionalOperator") == "OR",
    ),
    Known(
        "a new table is not ready at once",
        "dynalite",
        N,
        "the result depends on timing",
        "success",
        "ResourceInUse: Attempt to change a resource .* Table is being created: .*",
    ),
    Known(
        "null entries in a list or map of names are accepted",
        "dynalite",
        D,
        "the API's model",
        VIOLATIONS,
        ".*",
        only_breaks(r"[\w.]*(attributesToGet|expressionAttributeNames)\.[^']*"),
    ),
    Known(
        "segment 0 counts as no segment",
        "dynalite",
        D,
        "API reference, Scan: the first segment is 0; Local also rejects the request",
        V + "The TotalSegments parameter is required .*",
        ".*",
        lambda d: d.request.get("Segment") == 0,
    ),
    Known(
        "the bounds of segments and the action of an update are not checked",
        "dynalite",
        D,
        "the API's model",
        VIOLATIONS,
        ".*",
        only_breaks("segment", "totalSegments", r"attributeUpdates\.\w+\.member\.action"),
    ),
]

# The last entry. It applies only if no more specific entry above explains the difference.
WITNESSED = of_both(
    "another one of several faults is reported; the other peer agrees with Dolmen",
    N,
    "undocumented",
    FAULT,
    FAULT,
    seconded,
)

WIRE = BOTH + LOCAL + DYNALITE + WITNESSED
