"""Known differences between dynalite and Dolmen."""

import re

from known import (
    ANY_SUCCESS,
    BETWEEN,
    BINDING,
    DISTINCT,
    FAILED,
    INVALID,
    KEY_SHAPE,
    Known,
    OPERAND_TYPE,
    OVERFLOW,
    Open,
    READING,
    RUNTIME,
    SCALARS,
    UNUSED,
    V,
    compares_documents,
    expressions,
    follows_removes_alone,
    has_plus,
    only_differ_in,
    same_but,
    same_kind_of_fault,
    seconded,
    text,
)

DYNALITE = [
    Known(
        "dynalite creates an item for an update that only removes attributes, or rejects the update.",
        "The Developer Guide (AttributeUpdates) says that DELETE does nothing if the item does not "
        "exist. An update expression that only removes does nothing, either.",
        ANY_SUCCESS,
        ".*",
        follows_removes_alone,
    ),
    Open(
        "Dolmen reports an unused placeholder. dynalite reports that a query has no key condition.",
        "It is undocumented which of two errors DynamoDB reports.",
        UNUSED,
        V + "Either the KeyConditions or KeyConditionExpression.*",
    ),
    Open(
        "A request has several invalid placeholders, and dynalite names a different one than Dolmen.",
        "It is undocumented which of them DynamoDB names.",
        V + "ExpressionAttribute(Names|Values) contains invalid key: .*",
        V + "ExpressionAttribute(Names|Values) contains invalid key: .*",
        same_but('key: ".*"'),
    ),
    Known(
        "dynalite accepts a start key in a query of one partition of a table without a sort key.",
        "The service rejects such a key, as no item can follow it.",
        V + "The provided exclusive start key is invalid: .*",
        f"(success|{V}The provided starting key is outside.*)",
    ),
    Open(
        "dynalite returns a LastEvaluatedKey for a query of one partition of a table without a "
        "sort key.",
        "No item can follow the key, and the service rejects it as a start key.",
        "success",
        "success",
        lambda d: d.request.get("TableName") == "single" and "LastEvaluatedKey" in d.other,
    ),
    Known(
        "dynalite's begins_with compares binary values as text.",
        "Local answers like Dolmen.",
        ANY_SUCCESS,
        ANY_SUCCESS,
        lambda d: seconded(d) and "begins_with" in expressions(d),
    ),
    Known(
        "dynalite accepts an index key that is too long.",
        "Local answers like Dolmen.",
        V + ".*(Size of hashkey|Aggregated size of all range keys).*",
        ANY_SUCCESS,
    ),
    Open(
        "A query of an index continues after a start key that no item has, and dynalite returns "
        "different items than Dolmen.",
        "The order of items with equal index keys is undocumented.",
        "success",
        "success",
        lambda d: "ExclusiveStartKey" in d.request and "IndexName" in d.request,
    ),
    Known(
        "dynalite rejects a number with a plus sign.",
        "Local answers like Dolmen.",
        ".*",
        V + ".*cannot be converted to a numeric value: \\+3.*",
        has_plus,
    ),
    Known(
        "dynalite ignores ReturnValuesOnConditionCheckFailure.",
        "The API reference has listed this parameter since 2023.",
        FAILED,
        FAILED,
        only_differ_in("Item"),
    ),
    Open(
        "If a response has no attributes, dynalite returns an empty map as Attributes, and Dolmen "
        "omits Attributes.",
        "Dolmen's C++ API does not distinguish an empty map from a missing map.",
        "success",
        "success",
        lambda d: d.other.get("Attributes") == {} and "Attributes" not in d.dolmen,
    ),
    Known(
        "dynalite does not check the types of operands.",
        "Local answers like Dolmen.",
        OPERAND_TYPE,
        f"({ANY_SUCCESS}|{RUNTIME}|{BETWEEN}|{UNUSED})",
    ),
    Known(
        "dynalite's messages about operands of ADD and DELETE do not contain the typeSet.",
        "The service's newer message contains the typeSet.",
        OPERAND_TYPE,
        OPERAND_TYPE,
        same_but(", typeSet: ALLOWED_FOR_(ADD|DELETE)_OPERAND"),
    ),
    Known(
        "dynalite rounds a sum of more than 38 digits. dynalite then succeeds or reports a "
        "different error than Dolmen.",
        "The Developer Guide (Numbers) says that more than 38 digits cause an exception.",
        V + OVERFLOW,
        f"({ANY_SUCCESS}|{RUNTIME})",
    ),
    Open(
        "Two errors occur in evaluating an update, and dynalite reports a different one than "
        "Dolmen.",
        "It is undocumented which of two errors DynamoDB reports.",
        RUNTIME,
        RUNTIME,
    ),
    Known(
        "dynalite accepts a projection in a request whose Select is COUNT.",
        "Local answers like Dolmen.",
        V + "Cannot specify the ProjectionExpression when choosing to get only the Count",
        "success",
    ),
    Known(
        "dynalite accepts an empty key value, or rejects it with a different message than Dolmen.",
        "Local answers like Dolmen. Dolmen has the service's messages of 2020 and later.",
        V + "One or more parameter values are not valid\\. .*cannot contain an empty.*",
        f"({ANY_SUCCESS}|{V}One or more parameter values (were invalid|are not valid).*)",
    ),
    Known(
        "dynalite has a different message for a syntax error.",
        "Local answers like Dolmen.",
        INVALID + ".*",
        INVALID + "Syntax error; Expected .*",
        same_kind_of_fault,
    ),
    Known(
        "dynalite reports a syntax error. Dolmen succeeds or reports a different error.",
        "Local answers like Dolmen.",
        ".*",
        INVALID + "Syntax error; Expected .*",
        lambda d: seconded(d)
        or d.dolmen.get("error") == "ValidationException"
        or "(" in expressions(d),
    ),
    Known(
        "dynalite's IN and contains do not compare documents or sets.",
        "Local answers like Dolmen.",
        ANY_SUCCESS,
        ANY_SUCCESS,
        compares_documents,
    ),
    Known(
        "dynalite accepts an if_not_exists whose two operands are equal.",
        "Dolmen follows Local.",
        DISTINCT,
        f"({ANY_SUCCESS}|{RUNTIME}|{OPERAND_TYPE}|{UNUSED})",
    ),
    Known(
        "dynalite accepts list_append inside a larger operand.",
        "Dolmen follows Local.",
        INVALID + "The function is not allowed to be used this way.*list_append",
        f"({ANY_SUCCESS}|{RUNTIME}|{OPERAND_TYPE}|{INVALID}.*)",
    ),
    Known(
        "An update uses a function that only conditions may use. dynalite has a different message "
        "for this error.",
        "Local answers like Dolmen.",
        INVALID + "The function is not allowed in an? .*",
        INVALID + "Invalid function name.*",
    ),
    Known(
        "dynalite accepts attribute names that begin with an underscore.",
        "The Developer Guide (Attributes) says that a name begins with a letter.",
        INVALID + 'Syntax error; token: "_"',
        ".*",
    ),
    Open(
        "dynalite's messages print a bound of BETWEEN differently if its type is Binary.",
        "No source has the service's message.",
        BETWEEN,
        BETWEEN,
        same_but("; lower bound operand.*"),
    ),
    Known(
        "dynalite has a different message for two key conditions on a key of one attribute.",
        "Dolmen has the service's newer message.",
        V + "The number of query conditions.*",
        V + "Query key condition not supported",
    ),
    Known(
        "dynalite accepts paths into keys in conditions.",
        "Dolmen follows Local.",
        SCALARS,
        f"({ANY_SUCCESS}|{RUNTIME}|{V}.*)",
    ),
    Known(
        "dynalite compares documents and missing attributes by different rules than Dolmen.",
        "The Developer Guide (Comparison operators) says that documents with equal elements are "
        "equal. Local answers like Dolmen.",
        ANY_SUCCESS,
        ANY_SUCCESS,
        lambda d: seconded(d) and re.search("[=<]", expressions(d)) is not None,
    ),
    Known(
        "dynalite's attribute_type returns a different result for an attribute whose value is "
        "false.",
        "Local answers like Dolmen.",
        ANY_SUCCESS,
        ANY_SUCCESS,
        lambda d: seconded(d) and "attribute_type" in expressions(d),
    ),
    Known(
        "dynalite orders the bounds of BETWEEN by UTF-16 code units.",
        "The Developer Guide (Data types) orders strings by the bytes of UTF-8.",
        ".*",
        BETWEEN,
    ),
    Known(
        "dynalite orders strings by UTF-16 code units, and sets and documents in an arbitrary "
        "order.",
        "The Developer Guide (Data types) orders strings by the bytes of UTF-8. Local answers "
        "like Dolmen.",
        ANY_SUCCESS,
        f"({ANY_SUCCESS}|{V}The provided starting key.*)",
        lambda d: seconded(d) and re.search("between|<|>|sk|gsk", expressions(d), re.I) is not None,
    ),
    Known(
        "dynalite accepts items that are slightly larger than 400 KB.",
        "Local answers like Dolmen.",
        V + "Item size has exceeded the maximum allowed size",
        "success",
        seconded,
    ),
    Known(
        "An update copies a value and then changes the original. dynalite changes the copy, too.",
        "Local answers like Dolmen.",
        "success",
        "success",
        lambda d: seconded(d) and d.operation in ("UpdateItem", "GetItem", "PutItem", "DeleteItem"),
    ),
    Known(
        "dynalite has a different message for an empty placeholder.",
        "Dolmen follows Local.",
        V + ".* map contains an empty key;",
        V + '.* Syntax error; key: ""',
    ),
    Open(
        "dynalite has a different message for an invalid second operand of attribute_type.",
        "Local has a third message.",
        INVALID + "Operator or function requires an expression attribute value.*",
        OPERAND_TYPE,
    ),
    Open(
        "A request has several errors, and dynalite reports a different one than Dolmen.",
        "It is undocumented which error DynamoDB reports. Local answers like Dolmen.",
        V + ".*",
        V + ".*",
        seconded,
    ),
    Open(
        "Dolmen reports an empty value in a key condition. dynalite reports a filter on a key.",
        "It is undocumented which error DynamoDB reports. Local reports a third error.",
        V + ".*cannot contain an empty.*",
        V + "Filter Expression can only contain non-primary key attributes.*",
    ),
    Open(
        "An expression has several errors, and dynalite reports a different one than Dolmen, or "
        "none.",
        "It is undocumented which of two errors DynamoDB reports.",
        f"({READING}|{BINDING})",
        f"({READING}|{BINDING}|{RUNTIME}|{ANY_SUCCESS}|{UNUSED}|{V}One or more parameter values.*)",
    ),
    Known(
        "dynalite executes the actions of an update one after another, so a later action reads "
        "the result of an earlier action.",
        "The Developer Guide (Update expressions) says that all operands and indexes refer to the "
        "item before the update. Local answers like Dolmen.",
        f"({ANY_SUCCESS}|{RUNTIME})",
        f"({ANY_SUCCESS}|{RUNTIME})",
        lambda d: d.operation == "UpdateItem" and "success" in (text(d.dolmen), text(d.other)),
    ),
    Known(
        "dynalite evaluates the update before the condition.",
        "DynamoDB does not evaluate an update whose condition fails. Local answers like Dolmen.",
        f"({FAILED}|{RUNTIME})",
        f"({FAILED}|{RUNTIME})",
    ),
    Known(
        "dynalite accepts a leading zero in a list index.",
        "Dolmen follows Local.",
        INVALID + 'Syntax error; token: "\\d+"',
        ".*",
        lambda d: re.search(r"\[\s*0\s*\d", expressions(d)) is not None,
    ),
    Open(
        "A request has two errors in expressions, and dynalite reports a different one than "
        "Dolmen.",
        "It is undocumented which of two errors DynamoDB reports.",
        f"({INVALID}.*|{KEY_SHAPE}|{V}(Query|Either).*)",
        f"({INVALID}.*|{KEY_SHAPE}|{SCALARS}|{UNUSED}|{V}The provided starting key.*)",
        lambda d: not same_kind_of_fault(d),
    ),
    Open(
        "dynalite checks the parts of a request in a different order and reports a different "
        "error than Dolmen.",
        "It is undocumented which of two errors DynamoDB reports.",
        V + "(ReturnValues can only be|One or more parameter values are not valid|Query condition "
        "missed|The number of query|Filter Expression can).*",
        f"({V}.* can only be specified.*|{SCALARS}|{V}The provided (starting )?key.*)",
    ),
    Known(
        "dynalite does not limit the nesting of values.",
        "The Developer Guide (Quotas) has a limit of 32 levels.",
        V + "Nesting Levels have exceeded supported limits.*",
        f"({ANY_SUCCESS}|{V}.*)",
    ),
    Open(
        "dynalite has a different message for a start key that does not match the schema.",
        "Local has a third message.",
        V + "(The provided starting key is (invalid|outside).*|The provided key element does not "
        "match the schema)",
        V + "(The provided (starting )?key.*|The query can return at most one row and cannot be "
        "restarted)",
    ),
    Known(
        "dynalite accepts empty values in start keys.",
        "Local answers like Dolmen.",
        V + "The provided starting key is invalid: One or more parameter values are not valid.*",
        ".*",
    ),
]
