"""Known differences between DynamoDB Local and Dolmen in answers to PartiQL statements."""

import re

from known import DIGITS, FAILED, Known, LOCAL_NUMBER, Open, RUNTIME, V, same_but
from partiql_parts import (
    compares_comparison,
    ends_page_early,
    follows_refused_batch,
    has_other_order,
    ignores_sort_key,
    is_part_of_transaction,
    filters_unprojected,
    names_list_step,
    returns_more,
    sets_index_key,
    statement,
)

DUPLICATE = "Duplicate primary key exists in table"
IN_TRANSACTION = r"Validation failed in TransactStatements\[\d+\]: "
SYNTAX = V + "Statement wasn't well formed, can't be processed"
FILTER = V + (
    "One or more parameter values were invalid: Secondary index gidx does not project one or more "
    "filter attributes: .*"
)
OVERLAP = f"{V}({IN_TRANSACTION})?Two document paths overlap with each other; .*"
PARAMETERS = f"{V}({IN_TRANSACTION})?Number of parameters in request and statement don't match."
KEY_TYPE = (
    f"{V}({IN_TRANSACTION})?Key attribute('s data type should match its data type in table's "
    f"schema| should be present in the item): Key .*|{V}({IN_TRANSACTION})?Where clause does not "
    "contain a mandatory equality on all key attributes"
)
RETURNING = f"{V}({IN_TRANSACTION})?(Invalid returning clause: |RETURNING clause is not supported).*"
ORDER = V + (
    "(Variable reference \\w+ in ORDER BY clause must be part of the primary key|Must have (at least "
    "one non-optional hash key condition in WHERE clause|WHERE clause in the statement) when using "
    "ORDER BY clause.)"
)
VALUE = V + (
    "(Incorrect operand type for operator or function; .*|The BETWEEN operator requires .*|Invalid "
    "attribute type name found; .*)"
)
BETWEEN = f"{V}({IN_TRANSACTION})?The BETWEEN operator requires .*"
ANY_ERROR = r"(?!success)\w+: .*"
# Errors of statements that are well formed but use something that DynamoDB does not support.
UNSUPPORTED = f"{V}({IN_TRANSACTION})?" + (
    "(Unsupported operator in |Unsupported data type for IS |Unexpected path component|"
    "Unrecognized function: |IN operator must |The left hand side argument to IS |Aliasing is not "
    "supported|Unsupported token in |Two document paths overlap|Invalid returning clause: |"
    "RETURNING clause is |Number of parameters in |ExecuteTransaction API does not |The arguments to "
    "AND/OR |The argument to NOT |Duplicate identifiers in ).*"
)
INDEX_KEY = (
    "(Type mismatch for Index Key |update expression attempted to update (a|the) secondary index key)"
)


PARTIQL = [
    Known(
        "An INSERT finds an item with its key. Local has a different name of the error.",
        "The API's model has the names DuplicateItemException and DuplicateItem.",
        f"DuplicateItem: {DUPLICATE}",
        f"(DuplicateItem|Validation): {DUPLICATE}",
    ),
    Known(
        "RETURNING MODIFIED of a nested path. Local returns the whole attribute.",
        "The service returns only the path.",
        "success",
        "success",
        returns_more,
    ),
    Known(
        "A condition names an attribute that the global index lacks. Local reads the table's item.",
        "The service refuses the condition.",
        FILTER,
        "success",
    ),
    Known(
        "A scan of a global index has a condition on an attribute that the index lacks. Local "
        "reads the table's items.",
        "For the service the attribute is absent.",
        "success",
        "success",
        filters_unprojected,
    ),
    Known(
        "ORDER BY with <> on the partition key. Local returns the items in another order.",
        "Local's items are not in the order that the statement asks for.",
        V + "Must have at least one non-optional hash key condition in WHERE clause .*",
        "success",
        lambda difference: re.search("<>|!=", statement(difference)) is not None,
    ),
    Known(
        "Local has a different message for a consistent read of a global index.",
        "Dolmen has the service's message.",
        V + "Strongly consistent read is not supported on Global Secondary Indexes",
        V + "Consistent read cannot be true when (scanning|querying) a GSI",
    ),
    Known(
        "Local's message for an unknown index ends with the name of the index.",
        "Dolmen has the service's message.",
        V + "The table does not have the specified index",
        V + "The table does not have the specified index: .*",
    ),
    Known(
        "A batch has a SELECT that reads more than one item. Local has a different message.",
        "Dolmen has the service's message.",
        V + "Select statements within BatchExecuteStatement must specify the primary key .*",
        V + "Only single item select is supported",
    ),
    Known(
        "Two paths overlap. Local names two paths that do not overlap.",
        "The message states that the paths overlap.",
        OVERLAP,
        OVERLAP,
    ),
    Known(
        "Local's message of a cancellation reason ends with a full stop.",
        "The API reference of TransactWriteItems has no full stop.",
        FAILED,
        FAILED + "[.]",
    ),
    Known(
        "The bounds of BETWEEN are wrong. Local's message has a number as the client wrote it.",
        "Dolmen stores the value of a number and not its text.",
        BETWEEN,
        BETWEEN,
    ),
    Known(
        "A read after a batch that writes one item twice. Local refuses the batch and executes "
        "some of its statements.",
        "A refused request changes nothing.",
        "success",
        "success",
        follows_refused_batch,
    ),
    Known(
        "A read of several partitions with a condition on the sort key and one more condition. "
        "Local ignores the condition on the sort key.",
        "Each item of the result must satisfy the whole condition.",
        "success",
        "success",
        ignores_sort_key,
    ),
    Known(
        "A read of several partitions compares the sort key with a value of a wrong type, and has "
        "one more condition. Local finds no item.",
        "Local refuses the same statement without the further condition.",
        KEY_TYPE,
        "success",
        lambda difference: re.search(r"\b(IN|OR)\b", statement(difference), re.I) is not None,
    ),
    Known(
        "An update sets an index key to a value of a wrong type. Local stores it.",
        "DG (Global secondary indexes): the type of a key attribute must match the schema.",
        f"{V}.*{INDEX_KEY}.*",
        "success",
    ),
    Known(
        "A transaction computes an index key of a wrong type. Local stores it, or has a different "
        "message.",
        "DG (Global secondary indexes): the type of a key attribute must match the schema.",
        "TransactionCanceled: .*",
        f"(success|{V}Invalid attribute value type)",
        sets_index_key,
    ),
    Open(
        "A page with a Limit of several Queries. Local ends a page after each Query.",
        "The documentation allows a page with fewer items.",
        "success",
        "success",
        ends_page_early,
    ),
    Open(
        "A batch names one item twice and sets an index key to a wrong type. Local executes it.",
        "The order of the checks is unknown.",
        V + "Provided list of item keys contains duplicates",
        "success",
        lambda difference: "Invalid attribute value type" in str(difference.other),
    ),
    Open(
        "A read of several partitions without ORDER BY. Local has another order of the partitions.",
        "No order is documented.",
        "success",
        "success",
        has_other_order,
    ),
    Open(
        "A selected path continues after a list step. Local returns a map under the step's name.",
        "No document shows the name of such a column.",
        "success",
        "success",
        names_list_step,
    ),
    Open(
        "Both refuse a statement. Local has a syntax error, Dolmen names the wrong part.",
        "The details of the service's syntax errors are unknown.",
        V + ".*",
        SYNTAX,
    ),
    Open(
        "Both refuse a statement. Dolmen has a syntax error, Local names the wrong part.",
        "The details of the service's syntax errors are unknown.",
        SYNTAX,
        V + ".*",
    ),
    Open(
        "Two errors: the number of parameters, and one more. Local reports the other error.",
        "The order of the checks is unknown.",
        PARAMETERS,
        ANY_ERROR,
    ),
    Open(
        "A statement has more parameters than question marks. Local ignores the surplus.",
        "The service's answer is unknown.",
        PARAMETERS,
        "success",
    ),
    Open(
        "Two errors: an unsupported type after IS, and one more. Local reports the other error.",
        "The order of the checks is unknown.",
        V + "Unsupported data type for IS operator: .*",
        V + ".*",
    ),
    Open(
        "A transaction is cancelled. Local does not evaluate one of its updates.",
        "The service may report the reasons of some statements only.",
        RUNTIME,
        "success",
        is_part_of_transaction,
    ),
    Open(
        "Two errors: ORDER BY, and one more. Local reports the other error.",
        "The order of the checks is unknown.",
        ORDER,
        V + ".*",
    ),
    Open(
        "Two errors: RETURNING or overlapping paths, and one more. Local reports the other error.",
        "The order of the checks is unknown.",
        f"({RETURNING}|{OVERLAP})",
        f"({VALUE}|{KEY_TYPE}|{OVERLAP}|ResourceNotFound: .*|{V}({IN_TRANSACTION})?Key value must be "
        "of type .*|TransactionCanceled: ValidationError Where clause .*)",
    ),
    Open(
        "Two errors: the type of a key attribute, and one more. Local reports the other error.",
        "The order of the checks is unknown.",
        KEY_TYPE,
        f"{V}({IN_TRANSACTION})?(Where clause does not contain|Two document paths|Incorrect operand|"
        "The BETWEEN operator|Select statements within).*",
    ),
    Open(
        "Two errors: the value of an index key, and one more. Local reports the other error.",
        "The order of the checks is unknown.",
        f"{V}.*{INDEX_KEY}.*",
        f"({RUNTIME}|{VALUE}|{FAILED}|TransactionCanceled: .*)",
    ),
    Open(
        "A transaction mixes reads and writes, and has one more error. Local reports the mix.",
        "The order of the checks is unknown.",
        f"{V}{IN_TRANSACTION}.*",
        V + "ExecuteTransaction API does not support both read and write operations .*",
    ),
    Open(
        "A transaction updates a key attribute, and a condition or another update fails. Local "
        "reports the other failure.",
        "The order of the checks is unknown.",
        V + ".*Cannot update attribute .*",
        f"(TransactionCanceled: .*|{RUNTIME})",
    ),
    Open(
        "A statement has two parts that are not supported. Local reports the other one.",
        "The order of the checks is unknown.",
        UNSUPPORTED,
        UNSUPPORTED,
        lambda difference: difference.dolmen["message"] != difference.other["message"],
    ),
    Open(
        "A number in a transaction has too many digits. Local has a different message.",
        "The service's message in PartiQL is unknown.",
        f"{V}{IN_TRANSACTION}{DIGITS}",
        f"{V}{IN_TRANSACTION}{LOCAL_NUMBER}",
    ),
    Open(
        "A key in a transaction is an empty string. Local does not name the statement, cancels the "
        "transaction, or reports a second error.",
        "The service's answer is unknown.",
        f"{V}{IN_TRANSACTION}One or more parameter values are not valid. .*",
        f"({V}One or more parameter values are not valid. .*|TransactionCanceled: .*|"
        f"{V}{IN_TRANSACTION}EXISTS.* must contain a single item read with additional condition)",
    ),
    Open(
        "Both refuse a SELECT. Dolmen names the wrong source, Local its alias.",
        "The service's message is unknown.",
        V + "Unexpected from source",
        V + "Aliasing is not supported",
    ),
    Open(
        "Two errors in a read of a global index. Local reports the other error.",
        "The order of the checks is unknown.",
        f"({FILTER}|{V}Strongly consistent read is not .*|{V}.*Global secondary index gidx does not "
        f"project .*|{V}One or more .* not valid. A value specified for a secondary index key .*)",
        ANY_ERROR,
    ),
    Open(
        "Two errors: a table that does not exist, a SELECT of several items, or the type of a "
        "condition, and one more. Local reports the other error.",
        "The order of the checks is unknown.",
        f"(ResourceNotFound: .*|{V}Select statements within .*|{V}.*Condition parameter type .*)",
        f"({VALUE}|{OVERLAP})",
    ),
    Open(
        "A batch mixes reads and a write whose RETURNING clause is wrong. Local refuses the batch.",
        "The service's answer is unknown.",
        "success",
        V + "Read and write requests together in the same batch is not supported.",
    ),
    Open(
        "A comparison has a comparison as its operand. Local evaluates it.",
        "The service's answer is unknown.",
        SYNTAX,
        "success",
        compares_comparison,
    ),
    Open(
        "Two errors: the token, and one more. Local reports the other error.",
        "The order of the checks is unknown.",
        V + "Invalid NextToken",
        V + ".*",
    ),
    Open(
        "A statement has no key, or a key of a wrong type. Local has a different message, or "
        "cancels the transaction.",
        "The service's message is unknown.",
        KEY_TYPE,
        f"({V}({IN_TRANSACTION})?(Key value must be of type |Only single item select is supported|"
        "One or more parameter values were invalid: Condition parameter type ).*|"
        "TransactionCanceled: .*)",
    ),
    Open(
        "Local refuses an empty string for a key attribute of an index, or has a different message.",
        "The service's answer is unknown.",
        f"(success|{V}One or more parameter values are not valid. .*)",
        V + "One or more parameter values are not valid. The AttributeValue for a key attribute "
        "cannot contain an empty string value. Key: .*",
    ),
    Open(
        "An update sets an index key to a value of a wrong type. Local has a different message, or "
        "reports the condition.",
        "The service's message is unknown.",
        V + ".*update expression attempted to update (a|the) secondary index key.*",
        f"({V}Invalid attribute value type|{FAILED})",
    ),
    Open(
        "The position in the message differs.",
        "The service's positions are known for few messages.",
        V + ".*",
        V + ".*",
        same_but(r" at \d+:\d+:\d+"),
    ),
]
