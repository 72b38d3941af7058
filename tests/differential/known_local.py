"""Known differences between DynamoDB Local and Dolmen."""

import re

from known import (
    ANY_SUCCESS,
    BETWEEN,
    BINDING,
    CANCELED,
    DIGITS,
    FAILED,
    INVALID,
    KEY_SHAPE,
    Known,
    LOCAL_DIGITS,
    LOCAL_NUMBER,
    MISSING,
    OPERAND_TYPE,
    OVERFLOW,
    Open,
    READING,
    RUNTIME,
    SCALARS,
    UNUSED,
    V,
    WRONG_TYPE,
    expressions,
    follows_removes_alone,
    has_reasons_like_dolmen,
    has_wrong_key,
    is_at_the_end,
    is_canceled_for_key,
    reads_default_that_is_missing,
    returns_whole_attributes,
    same_but,
    same_kind_of_fault,
    seconded,
    text,
    without,
)

LOCAL = [
    Known(
        "Local creates an item for an update that only removes attributes, or rejects the update.",
        "The Developer Guide (AttributeUpdates) says that DELETE does nothing if the item does not "
        "exist. An update expression that only removes does nothing, either.",
        ANY_SUCCESS,
        ".*",
        follows_removes_alone,
    ),
    Known(
        "Local has different messages for a key in a transaction that does not match the schema. For "
        "some of these keys it does not cancel the transaction.",
        "The service cancels the transaction and gives the message of the single request as the "
        "reason.",
        CANCELED,
        f"({CANCELED}|{V}(The number of conditions on the keys is invalid|One of the required keys "
        "was not given a value|Invalid attribute value type))",
        has_wrong_key,
    ),
    Open(
        "Dolmen reports an error of the whole transaction. Local cancels the transaction because of "
        "a key.",
        "It is undocumented which of two errors DynamoDB reports.",
        V + ".*",
        CANCELED,
        is_canceled_for_key,
    ),
    Open(
        "Dolmen reports an empty key value in a transaction. Local reports a different error.",
        "It is undocumented which of two errors DynamoDB reports.",
        V + "One or more parameter values are not valid.*",
        f"({V}(The number of conditions on the keys|One of the required keys|Invalid attribute).*|"
        f"{RUNTIME})",
        lambda d: d.operation.startswith("Transact"),
    ),
    Known(
        "Local accepts a start key in a query of one partition of a table without a sort key.",
        "The service rejects such a key, as no item can follow it.",
        V + "The provided exclusive start key is invalid: .*",
        f"(success|{V}The provided starting key (is|does).*)",
    ),
    Known(
        "Local's UPDATED_OLD and UPDATED_NEW return the whole attribute of a nested path.",
        "The API reference says that they return only the updated attributes. dynalite answers "
        "like Dolmen.",
        "success",
        "success",
        returns_whole_attributes,
    ),
    Known(
        "Local returns no LastEvaluatedKey if the last page has exactly Limit items.",
        "The Developer Guide (Query paging) allows a LastEvaluatedKey after which no items "
        "follow. dynalite answers like Dolmen.",
        "success",
        "success",
        is_at_the_end,
    ),
    Known(
        "Local evaluates the default of if_not_exists although the path exists.",
        "The Developer Guide (Update expressions) uses the default only for a missing path. "
        "dynalite answers like Dolmen.",
        "success",
        f"{V}({MISSING}|{WRONG_TYPE})",
        reads_default_that_is_missing,
    ),
    Open(
        "Two errors occur in evaluating an update, and Local reports a different one than Dolmen.",
        "It is undocumented which error DynamoDB reports. dynalite mostly answers like Dolmen.",
        RUNTIME,
        RUNTIME,
    ),
    Known(
        "Local has a different message for a number with too many digits.",
        "Many public bug reports quote Dolmen's message.",
        V + f"({DIGITS}|{OVERFLOW})",
        V + LOCAL_DIGITS,
    ),
    Known(
        "Local has a different message for an invalid number.",
        "Many public bug reports quote Dolmen's message. dynalite answers like Dolmen.",
        V + "(The parameter cannot be converted to a numeric value.*|Attempting to store more.*|"
        "Number .*flow.*)",
        V + LOCAL_NUMBER,
    ),
    Open(
        "Local's message about overlapping paths names different paths than Dolmen's message.",
        "Local searches the paths from the last to the first.",
        INVALID + "Two document paths .*",
        INVALID + "Two document paths .*",
    ),
    Known(
        "Local's messages about BETWEEN print a binary bound as a Java buffer, and a number as "
        "the client wrote it.",
        "Dolmen's C++ API stores the value of a number and not its text.",
        BETWEEN,
        BETWEEN,
        same_but("; lower bound operand.*"),
    ),
    Known(
        "Local has a different message for a key that does not match the schema.",
        "Dolmen has the service's messages. dynalite answers like Dolmen.",
        V + "(The provided key element does not match the schema|One or more parameter values were "
        "invalid: (Missing the key|Type mismatch for|"
        "Size of hashkey|Aggregated size).*|Query condition missed key schema element: .*)",
        V + "(The number of conditions on the keys is invalid|One of the required keys was not "
        "given a value|Invalid attribute value type|"
        "One or more parameter values were invalid: Type mismatch for (key|Index Key)|Query "
        "condition missed key schema element|"
        "Hash primary key values must be under 2048 bytes.*)",
    ),
    Known(
        "Local has a different message for a start key that does not match the schema.",
        "Dolmen has the service's messages. dynalite answers like Dolmen.",
        V + "(The provided starting key is (invalid|outside).*|The provided key element does not "
        "match the schema)",
        V + "(Exclusive Start Key must have same size.*|Type mismatch for attribute to update|The "
        "provided starting key (is|does).*|"
        "The provided key element does not match the schema)",
    ),
    Known(
        "Local has a different message for a value of ReturnValues that PutItem does not support.",
        "Dolmen has the service's message. dynalite answers like Dolmen.",
        V + "ReturnValues can only be ALL_OLD or NONE",
        V + "Return values set to invalid value",
    ),
    Known(
        "Local has a different message for two key conditions on a key of one attribute.",
        "Dolmen has the service's newer message.",
        V + "The number of query conditions.*",
        V + "Query key condition not supported",
    ),
    Known(
        "Local's messages of cancellation reasons end with a full stop.",
        "The messages in the API reference (TransactWriteItems) have no full stop.",
        CANCELED,
        CANCELED,
        has_reasons_like_dolmen,
    ),
    Known(
        "Local returns the error of a failed update in a transaction directly and not as a "
        "cancellation reason.",
        "The API reference (TransactWriteItems) lists ValidationError among the cancellation "
        "reasons.",
        CANCELED,
        RUNTIME,
    ),
    Open(
        "An expression has two errors in its syntax or operands, and Local reports a different "
        "one than Dolmen.",
        "Local follows the order of the text. Dolmen follows the order that dynalite's author "
        "observed.",
        f"({READING}|{BINDING})",
        f"({READING}|{BINDING})",
        same_kind_of_fault,
    ),
    Open(
        "Dolmen reports a wrong form of a key condition. Local reports a path into a key or an "
        "unused placeholder.",
        "It is undocumented which of two errors DynamoDB reports.",
        KEY_SHAPE,
        f"({SCALARS}|{UNUSED})",
    ),
    Open(
        "A request has two errors in expressions, and Local reports a different one than Dolmen.",
        "It is undocumented which of two errors DynamoDB reports.",
        f"({INVALID}.*|{KEY_SHAPE}|{V}Query.*)",
        f"({INVALID}.*|{KEY_SHAPE}|{SCALARS}|{UNUSED})",
        lambda d: not same_kind_of_fault(d),
    ),
    Known(
        "Local does not treat SIZE as a reserved word.",
        "The Developer Guide (Reserved words) lists SIZE. dynalite answers like Dolmen.",
        INVALID + "Attribute name is a reserved keyword; reserved keyword: size",
        ".*",
    ),
    Known(
        "Local rejects a start key whose sort key is equal to a bound of the key condition.",
        "The item with this key is in the range of the condition. dynalite answers like Dolmen.",
        "success",
        V + "The provided starting key does not match the range key predicate",
        seconded,
    ),
    Open(
        "Local reports an error of a single action before it reports that two actions use the "
        "same item.",
        "It is undocumented which of two errors DynamoDB reports.",
        V + "Transaction request cannot include multiple operations on one item",
        V + ".*",
    ),
    Known(
        "Local allows two condition checks of the same item in a transaction.",
        "The API reference (TransactWriteItems) allows one action for each item.",
        V + "Transaction request cannot include multiple operations on one item",
        CANCELED,
    ),
    Known(
        "Local has a different message for an index key that is too long.",
        "Dolmen uses the service's message for a table's key that is too long.",
        V + ".*(Size of hashkey|Aggregated size of all range keys).*",
        V + "One or more parameter values were invalid: Size limit exceeded",
    ),
    Open(
        "Dolmen reports the update of a key, or an empty key. Local reports a path into a key.",
        "It is undocumented which of two errors DynamoDB reports.",
        V + "One or more parameter values (were invalid: Cannot update|are not valid).*",
        SCALARS,
    ),
    Open(
        "Dolmen reports an invalid value in a key condition, or a filter on a key. Local reports "
        "a path into a key, or the start key.",
        "It is undocumented which of two errors DynamoDB reports.",
        V + ".*(Condition parameter type|Filter Expression can only|cannot contain an empty).*",
        f"({SCALARS}|{V}The provided starting key.*)",
    ),
    Open(
        "A query of an index continues after a start key that no item has, and Local returns "
        "different items than Dolmen.",
        "The order of items with equal index keys is undocumented.",
        "success",
        "success",
        lambda d: "ExclusiveStartKey" in d.request and "IndexName" in d.request,
    ),
    Open(
        "Dolmen reports that a query has no key condition. Local reports an unused placeholder or "
        "an invalid expression.",
        "It is undocumented which of two errors DynamoDB reports.",
        V + "Either the KeyConditions or KeyConditionExpression.*",
        f"({UNUSED}|{INVALID}.*)",
    ),
    Open(
        "Local has a longer message for an empty value in a start key.",
        "No source has the service's message.",
        V + "The provided starting key is invalid: One or more parameter values are not valid.*",
        V + ".*(cannot contain an empty|The provided starting key).*",
    ),
    Open(
        "Local reports an unknown index. Dolmen reports a second error of the request.",
        "It is undocumented which error DynamoDB reports. dynalite answers like Dolmen.",
        V + "(?!The table does not have the specified index).*",
        V + "The table does not have the specified index: .*",
    ),
    Known(
        "Local rejects REMOVE as an attribute name.",
        "The Developer Guide's list of reserved words does not contain REMOVE.",
        ".*",
        INVALID + 'Syntax error; token: "(?i:remove)"',
    ),
    Open(
        "An expression has redundant parentheses and a syntax error. Local reports the "
        "parentheses.",
        "It is undocumented which of two errors DynamoDB reports.",
        INVALID + "Syntax error.*",
        INVALID + "(The expression has redundant parentheses;|Internal server error)",
    ),
    Open(
        "A request has several paths into keys, and Local's message names a different one than "
        "Dolmen's message.",
        "It is undocumented which of two errors DynamoDB reports.",
        SCALARS,
        f"({SCALARS}|{UNUSED})",
    ),
    Known(
        "A request has a path into a key, and its condition fails. Local reports the failed "
        "condition.",
        "A path into a key is invalid for every item. dynalite answers like Dolmen.",
        SCALARS,
        FAILED,
    ),
    Open(
        "Dolmen reports a wrong number of key conditions, or a projection with COUNT. Local "
        "reports a path into a key, or the start key.",
        "It is undocumented which of two errors DynamoDB reports.",
        V + "(The number of query conditions|Cannot specify the ProjectionExpression|Query "
        "condition missed).*",
        f"({SCALARS}|{V}The provided starting key.*)",
    ),
    Open(
        "A transaction has an update without UpdateExpression and a second error. Local reports "
        "the second error.",
        "It is undocumented which of two errors DynamoDB reports.",
        V + "Invalid UpdateExpression: The expression can not be empty;",
        f"({V}.* can only be specified when using expressions.*|{INVALID}.*)",
    ),
    Open(
        "Local rejects an attribute name that is a keyword in a different kind of expression, "
        "such as SET in a condition.",
        "Dolmen rejects the same expression with a different message.",
        INVALID
        + "(Syntax error|The expression has redundant parentheses|Attribute name is a reserved keyword"
        "|Invalid function name; function: "
        "(?i:set|remove|add|delete|and|or|not|in|between)).*",
        INVALID + "Syntax error.*",
    ),
    Open(
        "A path contains a value placeholder in place of a name. Local reports an undefined name, "
        "and Dolmen a syntax error.",
        "It is undocumented which error DynamoDB reports.",
        INVALID + 'Syntax error; token: ":.*',
        INVALID + "An expression attribute name used.*",
        lambda d: re.search(r"\.\s*:", expressions(d)) is not None,
    ),
    Known(
        "A request updates a key attribute, and its condition fails. Local reports the failed "
        "condition.",
        "An update of a key is invalid for every item. dynalite answers like Dolmen.",
        V + "One or more parameter values were invalid: Cannot update attribute.*",
        FAILED,
    ),
    Known(
        "Local has a different message for an invalid second operand of attribute_type.",
        "Local's message lists types that DynamoDB does not have.",
        INVALID + "Operator or function requires an expression attribute value.*",
        OPERAND_TYPE,
    ),
    Open(
        "Local rejects a path after a closing parenthesis.",
        "dynalite's grammar, which follows the service's answers, accepts such a path.",
        ANY_SUCCESS,
        INVALID + r'Syntax error; token: "(\.|\[)"',
        lambda d: re.search(r"\)\s*[.\[]", expressions(d)) is not None,
    ),
]
