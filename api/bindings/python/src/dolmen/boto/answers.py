"""Answers in the form in which botocore returns them.

The answers equal those of botocore's parsers. Answers with items, which the parsers take most of
the time of a call for, are read by the json module and changed in place.
"""

from __future__ import annotations

import itertools
import json
import re
import secrets
from base64 import b64decode
from collections.abc import Callable
from typing import Any

from botocore import parsers
from botocore.utils import parse_timestamp

_Convert = Callable[[Any], Any]

# The beginning of a binary value in the JSON of the library, which has no spaces.
_BINARY = re.compile(rb'\{"BS?"')

_REQUEST_ID = secrets.token_hex(20).upper()
_requests = itertools.count()


class Response:
    """An HTTP response, as far as botocore reads it."""

    def __init__(self, status: int, body: bytes) -> None:
        self.status_code = status
        self.body = body
        self.headers = {
            "content-type": "application/x-amz-json-1.0",
            "content-length": str(len(body)),
            "x-amzn-requestid": f"{_REQUEST_ID}{next(_requests):012X}",
        }

    @property
    def content(self) -> bytes:
        """The body."""
        return self.body

    @property
    def text(self) -> str:
        """The body as a text."""
        return self.body.decode()


class AsyncResponse(Response):
    """An HTTP response, as far as aiobotocore reads it."""

    @property
    async def content(self) -> bytes:  # type: ignore[override]
        """The body."""
        return self.body

    @property
    async def text(self) -> str:  # type: ignore[override]
        """The body as a text."""
        return self.body.decode()


class Answers:
    """Reads the answers to the requests of one client."""

    def __init__(self) -> None:
        self._readers: dict[str, Callable[[bytes], Any] | None] = {}

    def parse(
        self, model: Any, status: int, body: bytes, attempts: int
    ) -> tuple[Response, dict[str, Any]]:
        """Returns the response and its parsed body. An error has the members of its shape."""
        response = Response(status, body)
        read = self._reader(model) if status < 300 else None
        if read is None:
            parsed = _parse_by_botocore(model, response)
        else:
            parsed = read(body)
            parsed["ResponseMetadata"] = {
                "RequestId": response.headers["x-amzn-requestid"],
                "HTTPStatusCode": status,
                "HTTPHeaders": response.headers,
            }
        parsed["ResponseMetadata"]["RetryAttempts"] = attempts - 1
        return response, parsed

    def _reader(self, model: Any) -> Callable[[bytes], Any] | None:
        """Returns the reader of the answers of an operation. None: botocore reads them."""
        try:
            return self._readers[model.name]
        except KeyError:
            reader = self._readers[model.name] = _make_reader(model.output_shape)
            return reader


def _make_reader(shape: Any) -> Callable[[bytes], Any] | None:
    """Returns a function that reads an answer with attribute values, or None for other answers."""
    if shape is None or "blob" not in _types(shape, set()):
        return None
    has_times = "timestamp" in _types(shape, set())
    convert = _converter(shape, {})
    assert convert is not None

    def read(body: bytes) -> Any:
        answer = json.loads(str(body, "utf-8"))  # faster than json.loads(body)
        # Most answers contain no binary values.
        if has_times or _BINARY.search(body):
            convert(answer)
        return answer

    return read


def _types(shape: Any, seen: set[str]) -> set[str]:
    """Returns the names of the types in the shape."""
    if shape.name in seen:
        return set()
    seen.add(shape.name)
    types = {shape.type_name}
    for part in _parts(shape):
        types |= _types(part, seen)
    return types


def _parts(shape: Any) -> list[Any]:
    if shape.type_name == "structure":
        return list(shape.members.values())
    if shape.type_name == "list":
        return [shape.member]
    return [shape.value] if shape.type_name == "map" else []


def _converter(shape: Any, made: dict[str, _Convert]) -> _Convert | None:
    """Returns a function that converts blobs and times in place, or None if the shape has neither.

    `made` has the converters of the structures around the shape, because a structure can contain
    itself.
    """
    if shape.type_name == "blob":
        return b64decode
    if shape.type_name == "timestamp":
        return parse_timestamp
    if shape.type_name == "list":
        return _convert_each(_converter(shape.member, made))
    if shape.type_name == "map":
        return _convert_values(_converter(shape.value, made))
    if shape.type_name != "structure":
        return None
    if shape.name in made:
        return made[shape.name]
    members: dict[str, _Convert] = {}

    def convert(structure: Any) -> Any:
        for name, convert_member in members.items():
            if name in structure:
                structure[name] = convert_member(structure[name])
        return structure

    made[shape.name] = convert
    for name, part in shape.members.items():
        if (converter := _converter(part, made)) is not None:
            members[name] = converter
    return convert if members else None


def _convert_each(convert: _Convert | None) -> _Convert | None:
    if convert is None:
        return None
    return lambda elements: [convert(element) for element in elements]


def _convert_values(convert: _Convert | None) -> _Convert | None:
    if convert is None:
        return None
    return lambda values: {name: convert(value) for name, value in values.items()}


def _parse_by_botocore(model: Any, response: Response) -> dict[str, Any]:
    """Returns the parsed body as botocore's endpoint does."""
    parser = parsers.create_parser(model.service_model.protocol)
    raw = {
        "headers": response.headers,
        "status_code": response.status_code,
        "body": response.body,
        "context": {"operation_name": model.name},
    }
    parsed: dict[str, Any] = parser.parse(raw, model.output_shape)
    if response.status_code >= 300:
        code = parsed.get("Error", {}).get("Code")
        shape = model.service_model.shape_for_error_code(code)
        if shape is not None:
            parsed.update(parser.parse(raw, shape))
    return parsed
