"""Conversions between plain Python values and the attribute values of DynamoDB's JSON.

| Python | DynamoDB |
|---|---|
| str | S |
| int, decimal.Decimal | N |
| bytes, bytearray, memoryview | B |
| bool | BOOL |
| None | NULL |
| dict with names of type str | M |
| list, tuple | L |
| set, frozenset of str, of numbers or of bytes | SS, NS, BS |

A number is read as int if it is a whole number, else as Decimal. A float is refused, because most
decimal fractions have no exact float.
"""

from __future__ import annotations

import decimal
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Set
from typing import Any

_BYTES = (bytes, bytearray, memoryview)


def encode_item(item: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the attributes as attribute values."""
    return {_name(name): encode(value) for name, value in item.items()}


def _name(name: Any) -> str:
    """Returns the name of an attribute. JSON would have one name for 1 and "1"."""
    if isinstance(name, str):
        return name
    raise TypeError(f"the name of an attribute must be str: {name!r}")


def decode_item(item: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the attribute values as plain values."""
    found = {}
    for name, value in item.items():
        for kind, content in value.items():  # exactly one
            found[name] = content if kind == "S" else _DECODERS[kind](content)
    return found


def encode(value: Any) -> dict[str, Any]:
    """Returns the value as an attribute value.

    Raises:
        TypeError: DynamoDB has no type for the value.
        ValueError: a number is infinite or not a number, or a set is empty.
    """
    if isinstance(value, str):
        return {"S": value}
    if value is None:
        return {"NULL": True}
    if isinstance(value, bool):
        return {"BOOL": value}
    if isinstance(value, (int, decimal.Decimal)):
        return {"N": _number_text(value)}
    if isinstance(value, _BYTES):
        return {"B": _base64(value)}
    if isinstance(value, Mapping):
        return {"M": encode_item(value)}
    if isinstance(value, (list, tuple)):
        return {"L": [encode(element) for element in value]}
    if isinstance(value, Set):
        return _encode_set(value)
    if isinstance(value, float):
        raise TypeError(f"{value!r} is a float, which is not exact: use decimal.Decimal or int")
    raise TypeError(f"DynamoDB has no type for a value of {type(value).__name__}: {value!r}")


def decode(value: Mapping[str, Any]) -> Any:
    """Returns the attribute value as a plain value."""
    [(kind, content)] = value.items()
    return _DECODERS[kind](content)


def _encode_set(values: Set[Any]) -> dict[str, Any]:
    if not values:
        raise ValueError("DynamoDB has no empty sets: leave the attribute out")
    if all(isinstance(value, str) for value in values):
        return {"SS": list(values)}
    if all(_is_number(value) for value in values):
        return {"NS": [_number_text(value) for value in values]}
    if all(isinstance(value, _BYTES) for value in values):
        return {"BS": [_base64(value) for value in values]}
    raise TypeError(f"a set must contain only str, only numbers or only bytes: {values!r}")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, decimal.Decimal)) and not isinstance(value, bool)


def _number_text(value: int | decimal.Decimal) -> str:
    if isinstance(value, decimal.Decimal):
        if not value.is_finite():
            raise ValueError(f"DynamoDB has no number {value}")
        return str(value)
    return str(int(value))


def _base64(value: bytes | bytearray | memoryview) -> str:
    return b64encode(value).decode("ascii")


def _number(text: str) -> int | decimal.Decimal:
    try:
        return int(text)
    except ValueError:
        return decimal.Decimal(text)


_DECODERS: dict[str, Callable[[Any], Any]] = {
    "S": lambda text: text,
    "BOOL": lambda value: value,
    "N": _number,
    "B": b64decode,
    "NULL": lambda _: None,
    "M": decode_item,
    "L": lambda values: [decode(value) for value in values],
    "SS": set,
    "NS": lambda texts: {_number(text) for text in texts},
    "BS": lambda texts: {b64decode(text) for text in texts},
}
