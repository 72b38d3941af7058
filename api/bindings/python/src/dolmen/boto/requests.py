"""Requests in the form in which botocore serializes them.

botocore checks and copies each value of a request by several calls. Most requests of DynamoDB have
only values that are their own JSON. A short check finds these requests, and the json module
serializes them. botocore serializes all other requests, and reports what is wrong with them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

# Returns true if a value is valid and is its own JSON. False: botocore decides.
_Check = Callable[[Any], bool]


class Requests:
    """Serializes the requests of one operation."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._check = _make_check(model.input_shape, {}) if model.input_shape else _never
        self._template: dict[str, Any] | None = None  # a request without its body

    def serialize(self, serializer: Any, params: dict[str, Any]) -> dict[str, Any]:
        """Returns the request.

        Raises:
            ParamValidationError: a parameter is missing, unknown or of a wrong type.
        """
        if not self._check(params):
            return dict(serializer.serialize_to_request(params, self._model))
        body = json.dumps(params).encode()
        template = self._template
        if template is not None:
            return {**template, "headers": template["headers"].copy(), "body": body}
        request: dict[str, Any] = serializer.serialize_to_request(params, self._model)
        if request["body"] == body:
            self._template = request | {"headers": request["headers"].copy()}
        else:
            self._check = _never  # another version of botocore has another form
        return request


def _never(_value: Any) -> bool:
    return False


def _make_check(shape: Any, made: dict[str, _Check]) -> _Check:
    """Returns the check of a shape. `made` has the checks of the structures around the shape."""
    least = shape.metadata.get("min", 0)
    kind = shape.type_name
    if kind == "string":
        return lambda value: type(value) is str and len(value) >= least
    if kind == "boolean":
        return lambda value: type(value) is bool
    if kind in ("integer", "long"):
        return lambda value: type(value) is int and value >= least
    if kind == "list":
        return _list_check(_make_check(shape.member, made), least)
    if kind == "map":
        return _map_check(_make_check(shape.key, made), _make_check(shape.value, made))
    if kind == "structure" and not shape.is_document_type and not shape.is_tagged_union:
        return made[shape.name] if shape.name in made else _structure_check(shape, made)
    return _never


def _list_check(check: _Check, least: int) -> _Check:
    return lambda value: (type(value) is list and len(value) >= least and all(map(check, value)))


def _map_check(check_key: _Check, check_value: _Check) -> _Check:
    return lambda value: (
        type(value) is dict
        and all(map(check_key, value))
        and all(map(check_value, value.values()))
    )


def _structure_check(shape: Any, made: dict[str, _Check]) -> _Check:
    checks: dict[str, _Check] = {}
    required = frozenset(shape.metadata.get("required", ()))

    def check(value: Any) -> bool:
        if type(value) is not dict or not required <= value.keys():
            return False
        for name, member in value.items():
            if not checks.get(name, _never)(member):
                return False
        return True

    made[shape.name] = check
    for name, member in shape.members.items():
        checks[name] = _make_check(member, made)
    return check
