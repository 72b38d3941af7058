"""The members of requests and answers that contain attribute values.

A shape is one of these:
- ITEM: a map of attribute names to attribute values.
- VALUE: an attribute value.
- [shape]: a list.
- Named(shape): a map whose names the caller chooses, for example names of tables.
- {member: shape}: a structure. Other members contain no attribute values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Union

from . import values


class Named(NamedTuple):
    """A map of names to parts of one shape."""

    shape: Shape


class Attribute(NamedTuple):
    """An attribute value, or a map of names to attribute values, and its conversions."""

    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]


Shape = Union[Attribute, Named, list[Any], dict[str, Any]]

ITEM = Attribute(values.encode_item, values.decode_item)
VALUE = Attribute(values.encode, values.decode)

_CONDITIONS = Named({"Value": VALUE, "AttributeValueList": [VALUE]})

# A request for items, alone or in a batch or transaction.
_REQUEST: Shape = {
    "Item": ITEM,
    "Key": ITEM,
    "ExclusiveStartKey": ITEM,
    "ExpressionAttributeValues": ITEM,
    "AttributeUpdates": _CONDITIONS,
    "Expected": _CONDITIONS,
    "KeyConditions": _CONDITIONS,
    "QueryFilter": _CONDITIONS,
    "ScanFilter": _CONDITIONS,
}
_BATCH_KEYS = Named({"Keys": [ITEM]})
_BATCH_WRITES = Named([{"PutRequest": _REQUEST, "DeleteRequest": _REQUEST}])
_ACTION: Shape = {name: _REQUEST for name in ("Get", "Put", "Update", "Delete", "ConditionCheck")}
_STATEMENT: Shape = {"Parameters": [VALUE]}
_COLLECTION: Shape = {"ItemCollectionKey": ITEM}

RECORD: Shape = {"dynamodb": {"Keys": ITEM, "NewImage": ITEM, "OldImage": ITEM}}

_REQUESTS: dict[str, Shape] = {
    **{
        name: _REQUEST
        for name in ("GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query", "Scan")
    },
    "BatchGetItem": {"RequestItems": _BATCH_KEYS},
    "BatchWriteItem": {"RequestItems": _BATCH_WRITES},
    "TransactGetItems": {"TransactItems": [_ACTION]},
    "TransactWriteItems": {"TransactItems": [_ACTION]},
    "ExecuteStatement": _STATEMENT,
    "BatchExecuteStatement": {"Statements": [_STATEMENT]},
    "ExecuteTransaction": {"TransactStatements": [_STATEMENT]},
}

_PAGE: Shape = {"Items": [ITEM], "LastEvaluatedKey": ITEM}
_WRITTEN: Shape = {"Attributes": ITEM, "ItemCollectionMetrics": _COLLECTION}

_ANSWERS: dict[str, Shape] = {
    "GetItem": {"Item": ITEM},
    "PutItem": _WRITTEN,
    "UpdateItem": _WRITTEN,
    "DeleteItem": _WRITTEN,
    "Query": _PAGE,
    "Scan": _PAGE,
    "BatchGetItem": {"Responses": Named([ITEM]), "UnprocessedKeys": _BATCH_KEYS},
    "BatchWriteItem": {
        "UnprocessedItems": _BATCH_WRITES,
        "ItemCollectionMetrics": Named([_COLLECTION]),
    },
    "TransactGetItems": {"Responses": [{"Item": ITEM}]},
    "TransactWriteItems": {"ItemCollectionMetrics": Named([_COLLECTION])},
    "GetRecords": {"Records": [RECORD]},
    "ExecuteStatement": _PAGE,
    "BatchExecuteStatement": {"Responses": [{"Item": ITEM, "Error": {"Item": ITEM}}]},
    "ExecuteTransaction": {"Responses": [{"Item": ITEM}]},
}

_ERROR: Shape = {"Item": ITEM, "CancellationReasons": [{"Item": ITEM}]}


def encode_request(operation: str, request: Mapping[str, Any]) -> Any:
    """Returns the request with attribute values in place of plain values."""
    return _convert(_REQUESTS.get(operation, {}), request, "encode")


def decode_answer(operation: str, answer: Any) -> Any:
    """Returns the answer with plain values in place of attribute values."""
    return _convert(_ANSWERS.get(operation, {}), answer, "decode")


def decode_error(error: Any) -> Any:
    """Returns the answer of a failed request with plain values in place of attribute values."""
    return _convert(_ERROR, error, "decode")


def decode_records(records: list[Any]) -> list[dict[str, Any]]:
    """Returns the records of a stream with plain values in place of attribute values."""
    return [_convert(RECORD, record, "decode") for record in records]


def _convert(shape: Shape, data: Any, direction: str) -> Any:
    """Converts the attribute values in the data. A part of a wrong type is left as it is."""
    if isinstance(shape, Attribute):
        if shape is ITEM and not isinstance(data, Mapping):
            return data
        return getattr(shape, direction)(data)
    if isinstance(shape, list):
        if not isinstance(data, (list, tuple)):
            return data
        return [_convert(shape[0], element, direction) for element in data]
    if not isinstance(data, Mapping):
        return data
    if isinstance(shape, Named):
        return {name: _convert(shape.shape, part, direction) for name, part in data.items()}
    return {
        name: _convert(shape[name], part, direction) if name in shape else part
        for name, part in data.items()
    }
