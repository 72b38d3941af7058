"""Known differences between DynamoDB Local and Dolmen in answers to PartiQL statements."""

import re

from known import D, DIGITS, FAILED, Known, LOCAL_NUMBER, N, RUNTIME, V, same_but
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


def entry(name, right, why, dolmen, other, where=lambda difference: True):
    return Known(name, "local", right, why, dolmen, other, where)


PARTIQL = [
    # ---- Dolmen is right ----
    entry(
        "An INSERT finds an item with its key. Local has a different name of the error.",
        D,
        "The API's model has the names DuplicateItemException and DuplicateItem.",
        f"DuplicateItem: {DUPLICATE}",
        f"(DuplicateItem|Validation): {DUPLICATE}",
    ),
    entry(
        "RETURNING MODIFIED of a nested path. Local returns the whole attribute.",
        D,
        "The service returns only the path.",
        "success",
        "success",
        returns_more,
    ),
    entry(
        "A condition names an attribute that the global index lacks. Local reads the table's item.",
        D,
        "The service refuses the condition.",
        FILTER,
        "success",
    ),
    entry(
        "A scan of a global index has a condition on an attribute that the index lacks. Local "
        "reads the table's items.",
        D,
        "For the service the attribute is absent.",
        "success",
        "success",
        filters_unprojected,
    ),
    entry(
        "ORDER BY with <> on the partition key. Local returns the items in another order.",
        D,
        "Local's items are not in the order that the statement asks for.",
        V + "Must have at least one non-optional hash key condition in WHERE clause .*",
        "success",
        lambda difference: re.search("<>|!=", statement(difference)) is not None,
    ),
    entry(
        "Local has a different message for a consistent read of a global index.",
        D,
        "Dolmen has the service's message.",
        V + "Strongly consistent read is not supported on Global Secondary Indexes",
        V + "Consistent read cannot be true when (scanning|querying) a GSI",
    ),
    entry(
        "Local's message for an unknown index ends with the name of the index.",
        D,
        "Dolmen has the service's message.",
        V + "The table does not have the specified index",
        V + "The table does not have the specified index: .*",
    ),
    entry(
        "A batch has a SELECT that reads more than one item. Local has a different message.",
        D,
        "Dolmen has the service's message.",
        V + "Select statements within BatchExecuteStatement must specify the primary key .*",
        V + "Only single item select is supported",
    ),
    entry(
        "Two paths overlap. Local names two paths that do not overlap.",
        D,
        "The message states that the paths overlap.",
        OVERLAP,
        OVERLAP,
    ),
    entry(
        "Local's message of a cancellation reason ends with a full stop.",
        D,
        "The API reference of TransactWriteItems has no full stop.",
        FAILED,
        FAILED + "[.]",
    ),
    entry(
        "The bounds of BETWEEN are wrong. Local's message has a number as the client wrote it.",
        D,
        "Dolmen stores the value of a number and not its text.",
        BETWEEN,
        BETWEEN,
    ),
    entry(
        "A read after a batch that writes one item twice. Local refuses the batch and executes "
        "some of its statements.",
        D,
        "A refused request changes nothing.",
        "success",
        "success",
        follows_refused_batch,
    ),
    entry(
        "A read of several partitions with a condition on the sort key and one more condition. "
        "Local ignores the condition on the sort key.",
        D,
        "Each item of the result must satisfy the whole condition.",
        "success",
        "success",
        ignores_sort_key,
    ),
    entry(
        "A read of several partitions compares the sort key with a value of a wrong type, and has "
        "one more condition. Local finds no item.",
        D,
        "Local refuses the same statement without the further condition.",
        KEY_TYPE,
        "success",
        lambda difference: re.search(r"\b(IN|OR)\b", statement(difference), re.I) is not None,
    ),
    entry(
        "An update sets an index key to a value of a wrong type. Local stores it.",
        D,
        "DG (Global secondary indexes): the type of a key attribute must match the schema.",
        f"{V}.*{INDEX_KEY}.*",
        "success",
    ),
    entry(
        "A transaction computes an index key of a wrong type. Local stores it, or has a different "
        "message.",
        D,
        "DG (Global secondary indexes): the type of a key attribute must match the schema.",
        "TransactionCanceled: .*",
        f"(success|{V}Invalid attribute value type)",
        sets_index_key,
    ),
    # ---- Open ----
    entry(
        "A page with a Limit of several Queries. Local ends a page after each Query.",
        N,
        "The documentation allows a page with fewer items.",
        "success",
        "success",
        ends_page_early,
    ),
    entry(
        "A batch names one item twice and sets an index key to a wrong type. Local executes it.",
        N,
        "The order of the checks is unknown.",
        V + "Provided list of item keys contains duplicates",
        "success",
        lambda difference: "Invalid attribute value type" in str(difference.other),
    ),
    entry(
        "A read of several partitions without ORDER BY. Local has another order of the partitions.",
        N,
        "No order is documented.",
        "success",
        "success",
        has_other_order,
    ),
    entry(
        "A selected path continues after a list step. Local returns a map under the step's name.",
        N,
        "No document shows the name of such a column.",
        "success",
        "success",
        names_list_step,
    ),
    entry(
        "Both refuse a statement. Local has a syntax error, Dolmen names the wrong part.",
        N,
        "The details of the service's syntax errors are unknown.",
        V + ".*",
        SYNTAX,
    ),
    entry(
        "Both refuse a statement. Dolmen has a syntax error, Local names the wrong part.",
        N,
        "The details of the service's syntax errors are unknown.",
        SYNTAX,
        V + ".*",
    ),
    entry(
        "Two errors: the number of parameters, and one more. Local reports the other error.",
        N,
        "The order of the checks is unknown.",
        PARAMETERS,
        ANY_ERROR,
    ),
    entry(
        "A statement has more parameters than question marks. Local ignores the surplus.",
        N,
        "The service's answer is unknown.",
        PARAMETERS,
        "success",
    ),
    entry(
        "Two errors: an unsupported type after IS, and one more. Local reports the other error.",
        N,
        "The order of the checks is unknown.",
        V + "Unsupported data type for IS operator: .*",
        V + ".*",
    ),
    entry(
        "A transaction is cancelled. Local does not evaluate one of its updates.",
        N,
        "The service may report the reasons of some statements only.",
        RUNTIME,
        "success",
        is_part_of_transaction,
    ),
    entry(
        "Two errors: ORDER BY, and one more. Local reports the other error.",
        N,
        "The order of the checks is unknown.",
        ORDER,
        V + ".*",
    ),
    entry(
        "Two errors: RETURNING or overlapping paths, and one more. Local reports the other error.",
        N,
        "The order of the checks is unknown.",
        f"({RETURNING}|{OVERLAP})",
        f"({VALUE}|{KEY_TYPE}|{OVERLAP}|ResourceNotFound: .*|{V}({IN_TRANSACTION})?Key value must be "
        "of type .*|TransactionCanceled: ValidationError Where clause .*)",
    ),
    entry(
        "Two errors: the type of a key attribute, and one more. Local reports the other error.",
        N,
        "The order of the checks is unknown.",
        KEY_TYPE,
        f"{V}({IN_TRANSACTION})?(Where clause does not contain|Two document paths|Incorrect operand|"
        "The BETWEEN operator|Select statements within).*",
    ),
    entry(
        "Two errors: the value of an index key, and one more. Local reports the other error.",
        N,
        "The order of the checks is unknown.",
        f"{V}.*{INDEX_KEY}.*",
        f"({RUNTIME}|{VALUE}|{FAILED}|TransactionCanceled: .*)",
    ),
    entry(
        "A transaction mixes reads and writes, and has one more error. Local reports the mix.",
        N,
        "The order of the checks is unknown.",
        f"{V}{IN_TRANSACTION}.*",
        V + "ExecuteTransaction API does not support both read and write operations .*",
    ),
    entry(
        "A transaction updates a key attribute, and a condition or another update fails. Local "
        "reports the other failure.",
        N,
        "The order of the checks is unknown.",
        V + ".*Cannot update attribute .*",
        f"(TransactionCanceled: .*|{RUNTIME})",
    ),
    entry(
        "A statement has two parts that are not supported. Local reports the other one.",
        N,
        "The order of the checks is unknown.",
        UNSUPPORTED,
        UNSUPPORTED,
        lambda difference: difference.dolmen["message"] != difference.other["message"],
    ),
    entry(
        "A number in a transaction has too many digits. Local has a different message.",
        N,
        "The service's message in PartiQL is unknown.",
        f"{V}{IN_TRANSACTION}{DIGITS}",
        f"{V}{IN_TRANSACTION}{LOCAL_NUMBER}",
    ),
    entry(
        "A key in a transaction is an empty string. Local does not name the statement, cancels the "
        "transaction, or reports a second error.",
        N,
        "The service's answer is unknown.",
        f"{V}{IN_TRANSACTION}One or more parameter values are not valid. .*",
        f"({V}One or more parameter values are not valid. .*|TransactionCanceled: .*|"
        f"{V}{IN_TRANSACTION}EXISTS.* must contain a single item read with additional condition)",
    ),
    entry(
        "Both refuse a SELECT. Dolmen names the wrong source, Local its alias.",
        N,
        "The service's message is unknown.",
        V + "Unexpected from source",
        V + "Aliasing is not supported",
    ),
    entry(
        "Two errors in a read of a global index. Local reports the other error.",
        N,
        "The order of the checks is unknown.",
        f"({FILTER}|{V}Strongly consistent read is not .*|{V}.*Global secondary index gidx does not "
        f"project .*|{V}One or more .* not valid. A value specified for a secondary index key .*)",
        ANY_ERROR,
    ),
    entry(
        "Two errors: a table that does not exist, a SELECT of several items, or the type of a "
        "condition, and one more. Local reports the other error.",
        N,
        "The order of the checks is unknown.",
        f"(ResourceNotFound: .*|{V}Select statements within .*|{V}.*Condition parameter type .*)",
        f"({VALUE}|{OVERLAP})",
    ),
    entry(
        "A batch mixes reads and a write whose RETURNING clause is wrong. Local refuses the batch.",
        N,
        "The service's answer is unknown.",
        "success",
        V + "Read and write requests together in the same batch is not supported.",
    ),
    entry(
        "A comparison has a comparison as its operand. Local evaluates it.",
        N,
        "The service's answer is unknown.",
        SYNTAX,
        "success",
        compares_comparison,
    ),
    entry(
        "Two errors: the token, and one more. Local reports the other error.",
        N,
        "The order of the checks is unknown.",
        V + "Invalid NextToken",
        V + ".*",
    ),
    entry(
        "A statement has no key, or a key of a wrong type. Local has a different message, or "
        "cancels the transaction.",
        N,
        "The service's message is unknown.",
        KEY_TYPE,
        f"({V}({IN_TRANSACTION})?(Key value must be of type |Only single item select is supported|"
        "One or more parameter values were invalid: Condition parameter type ).*|"
        "TransactionCanceled: .*)",
    ),
    entry(
        "Local refuses an empty string for a key attribute of an index, or has a different message.",
        N,
        "The service's answer is unknown.",
        f"(success|{V}One or more parameter values are not valid. .*)",
        V + "One or more parameter values are not valid. The AttributeValue for a key attribute "
        "cannot contain an empty string value. Key: .*",
    ),
    entry(
        "An update sets an index key to a value of a wrong type. Local has a different message, or "
        "reports the condition.",
        N,
        "The service's message is unknown.",
        V + ".*update expression attempted to update (a|the) secondary index key.*",
        f"({V}Invalid attribute value type|{FAILED})",
    ),
    entry(
        "The position in the message differs.",
        N,
        "The service's positions are known for few messages.",
        V + ".*",
        V + ".*",
        same_but(r" at \d+:\d+:\d+"),
    ),
]
