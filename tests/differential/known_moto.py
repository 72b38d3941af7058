"""Known differences between moto and Dolmen."""

import re

from known import (
    ANY,
    LEGACY_CONDITIONS,
    RUNTIME,
    SUCCESS,
    V,
    Known,
    follows,
    follows_a_statement,
    follows_removes_alone,
    has,
    only_differ_in,
    says,
)
from known_rules import RULES, rules

MOTO = [
    *rules("moto", accepts=RULES),
    Known(
        "moto creates an item for an update that only removes attributes, or rejects the update.",
        "The Developer Guide (AttributeUpdates) says that DELETE does nothing if the item does not "
        "exist. An update expression that only removes does nothing, either.",
        SUCCESS,
        ANY,
        follows_removes_alone,
    ),
    Known(
        "moto returns a LastEvaluatedKey for a query of one partition of a table without a sort "
        "key.",
        "No item can follow the key, and DynamoDB rejects it as a start key.",
        "success",
        "success",
        lambda d: d.request.get("TableName") == "single" and "LastEvaluatedKey" in d.other,
    ),
    Known(
        "moto returns ItemCollectionMetrics although the request does not ask for it.",
        "The API reference: the member is present if the request asks for it.",
        "success",
        "success",
        only_differ_in("ItemCollectionMetrics"),
    ),
    Known(
        "moto ignores AttributesToGet.",
        "The API reference (AttributesToGet): only these attributes are returned.",
        "success",
        "success",
        has("AttributesToGet"),
    ),
    Known(
        "moto reads only some forms of a KeyConditionExpression.",
        "DynamoDB's grammar has either order of the operands, both orders of the keys, and "
        "parentheses.",
        "success",
        V
        + "(Invalid condition in KeyConditionExpression|Query condition missed key schema element|Invalid "
        "operator used in KeyConditionExpression|Query key condition not supported).*",
    ),
    Known(
        "moto finds no items by a KeyConditionExpression of several lines.",
        "DynamoDB's grammar has white space around every token.",
        "success",
        "success",
        lambda d: re.search(r"[\t\r\n]", str(d.request.get("KeyConditionExpression"))) is not None,
    ),
    Known(
        "moto calls a name of a path unused, or refuses white space in a projection.",
        "DynamoDB's grammar has white space around every token, and a projection may name an "
        "attribute "
        "that the item lacks.",
        "success",
        V
        + "(Value provided in ExpressionAttributeNames unused|ProjectionExpression: Attribute name "
        "contains white space|Invalid ProjectionExpression: ).*",
    ),
    Known(
        "moto loses elements of lists and maps that a projection names.",
        "The Developer Guide (Projection expressions): all these paths are returned.",
        "success",
        "success",
        has("ProjectionExpression"),
    ),
    Known(
        "moto cannot read a filter or a condition that Dolmen evaluates.",
        "DynamoDB Local evaluates the same forms.",
        SUCCESS,
        V + "(Bad Filter Expression|Invalid (Filter|Condition|Update)Expression: ).*",
    ),
    Known(
        "moto's legacy conditions compare documents and types by other rules.",
        "The Developer Guide: documents with equal elements are equal, and values of different "
        "types "
        "are not.",
        SUCCESS,
        SUCCESS,
        has(*LEGACY_CONDITIONS),
    ),
    Known(
        "moto's conditions compare documents, sets and missing attributes by other rules.",
        "The Developer Guide (Comparison operators): documents with equal elements are equal.",
        SUCCESS,
        SUCCESS,
        has("ConditionExpression", "FilterExpression", "TransactItems"),
    ),
    Known(
        "moto's UPDATED_OLD and UPDATED_NEW return other attributes than the updated ones.",
        "The API reference (UpdateItem): they return only the updated attributes.",
        "success",
        "success",
        lambda d: str(d.request.get("ReturnValues")).startswith("UPDATED"),
    ),
    Known(
        "moto executes the actions of an update one after another, or by other rules.",
        "The Developer Guide (Update expressions) says that all operands refer to the item before "
        "the "
        "update.",
        SUCCESS,
        f"({SUCCESS}|{RUNTIME})",
        lambda d: has("UpdateExpression", "AttributeUpdates")(d)
        or follows("UpdateExpression", "AttributeUpdates", "TransactItems")(d),
    ),
    Known(
        "moto returns no LastEvaluatedKey if the last page has exactly Limit items.",
        "DynamoDB returns one, because it does not look for the next item.",
        "success",
        "success",
        lambda d: "Limit" in d.request and only_differ_in("LastEvaluatedKey")(d),
    ),
    Known(
        "moto fails to compute with a number in scientific notation.",
        "The Developer Guide (Data types): a number is its value.",
        SUCCESS,
        "TransactionCanceled: .*ValueError.*",
    ),
    Known(
        "moto cancels a transaction for an exception of Python, because it cannot compare two values.",
        "The Developer Guide (Condition expressions): a comparison of values of two types is false, and a reason has one of "
        "DynamoDB's codes.",
        SUCCESS,
        r"TransactionCanceled: .*\b(TypeError|NotImplementedError)\b.*",
    ),
    Known(
        "moto refuses an item of exactly 400 KB.",
        "The Developer Guide (Quotas): the greatest size is 400 KB.",
        "success",
        V + "Item size has exceeded the maximum allowed size",
    ),
    Known(
        "moto refuses an update that reads a key attribute.",
        "DynamoDB refuses only an update that changes it.",
        "success",
        V + "One or more parameter values were invalid: Cannot update attribute .*",
    ),
    # ---- PartiQL ----
    Known(
        "moto finds no index whose name is quoted.",
        'The Developer Guide (PartiQL, SELECT) quotes both names: "table"."index".',
        "success",
        "ResourceNotFound: Requested resource not found",
        says(r'"\."'),
    ),
    Known(
        "moto's SELECT reads no index, evaluates few conditions, and neither orders nor limits the "
        "items.",
        "The Developer Guide (PartiQL, SELECT) has these conditions, ORDER BY and indexes.",
        "success",
        "success",
        lambda d: d.operation == "ExecuteStatement" and says("SELECT")(d),
    ),
    Known(
        "moto returns no items of a batch or a transaction that reads.",
        "The API reference (BatchExecuteStatement, ExecuteTransaction): Responses has the items.",
        "success",
        "success",
        lambda d: d.operation in ("BatchStatement", "ExecuteTransaction") and says("SELECT")(d),
    ),
    Known(
        "moto takes the statements of a batch that have the key in another order for others.",
        "The WHERE clause of these statements has an equality on all key attributes.",
        ANY,
        V + "Select statements within BatchExecuteStatement must specify the primary key .*",
        lambda d: d.operation == "BatchStatement",
    ),
    Known(
        "moto's UPDATE and DELETE ignore an absent item and most conditions.",
        "The Developer Guide (PartiQL, UPDATE): the statement fails if the condition is false.",
        SUCCESS,
        SUCCESS,
        says("UPDATE|DELETE"),
    ),
    Known(
        "moto's UPDATE changes no nested attributes.",
        "The Developer Guide (PartiQL, UPDATE) sets elements of lists and maps.",
        "success",
        "success",
        follows_a_statement,
    ),
]
