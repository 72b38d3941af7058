"""Calls of the C library (api/c/dolmen.h) by ctypes.

The environment variable DOLMEN_LIBRARY selects another library than the library of the package.
"""

from __future__ import annotations

import ctypes
import json
import os
import pathlib
from typing import Any, Union

from .errors import Error

ABI = 2

# A path of the file system. Its bytes need not be UTF-8.
Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


class Buffer(ctypes.Structure):
    """A buffer of the library, which dolmen_free frees."""

    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]


# Receives the context, the records and the size of the records.
Handler = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)

_TEXT = ctypes.c_char_p
_SIZE = ctypes.c_size_t
_POINTER = ctypes.c_void_p
_POINTER_OUT = ctypes.POINTER(ctypes.c_void_p)
_TIME = ctypes.c_int64
_BUFFER = ctypes.POINTER(Buffer)

# The result and the parameters of each function.
_FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "dolmen_abi": (ctypes.c_int, []),
    "dolmen_version": (_TEXT, []),
    "dolmen_free": (None, [_BUFFER]),
    "dolmen_open": (ctypes.c_int, [_TEXT, _POINTER_OUT, _BUFFER]),
    "dolmen_open_directory": (ctypes.c_int, [_TEXT, _TEXT, _POINTER_OUT, _BUFFER]),
    "dolmen_close": (None, [_POINTER]),
    "dolmen_fork": (ctypes.c_int, [_POINTER, _TEXT, _POINTER_OUT, _BUFFER]),
    "dolmen_reset": (ctypes.c_int, [_POINTER, _BUFFER]),
    "dolmen_execute": (ctypes.c_int, [_POINTER, _TEXT, _TEXT, _SIZE, _BUFFER]),
    "dolmen_load_seed": (ctypes.c_int, [_POINTER, _TEXT, _SIZE, _BUFFER]),
    "dolmen_expire": (ctypes.c_int, [_POINTER, _BUFFER]),
    "dolmen_wait": (ctypes.c_int, [_POINTER, _BUFFER]),
    "dolmen_clock": (ctypes.c_int, [_POINTER, ctypes.POINTER(_TIME), _BUFFER]),
    "dolmen_set_clock": (ctypes.c_int, [_POINTER, _TIME, _BUFFER]),
    "dolmen_backup": (ctypes.c_int, [_POINTER, _TEXT, _BUFFER]),
    "dolmen_restore": (ctypes.c_int, [_TEXT, _TEXT, _TEXT, _BUFFER]),
    "dolmen_simulate": (ctypes.c_int, [_POINTER, _TEXT, _SIZE, _BUFFER]),
    "dolmen_trace": (ctypes.c_int, [_POINTER, _BUFFER]),
    "dolmen_subscribe": (
        ctypes.c_int,
        [_POINTER, _TEXT, _TEXT, Handler, _POINTER, _POINTER_OUT, _BUFFER],
    ),
    "dolmen_unsubscribe": (None, [_POINTER]),
}


def _load() -> ctypes.CDLL:
    bundled = pathlib.Path(__file__).with_name("lib") / "libdolmen_c.so"
    loaded = ctypes.CDLL(os.environ.get("DOLMEN_LIBRARY") or str(bundled))
    if loaded.dolmen_abi() < ABI:
        raise ImportError(
            f"{loaded._name} has version {loaded.dolmen_abi()} of the C interface, and this"
            f" package needs version {ABI}: set DOLMEN_LIBRARY to a newer library"
        )
    for name, (result, parameters) in _FUNCTIONS.items():
        function = getattr(loaded, name)
        function.restype = result
        function.argtypes = parameters
    return loaded


library = _load()
_execute = library.dolmen_execute
_free = library.dolmen_free
_string_at = ctypes.string_at
_byref = ctypes.byref


def version() -> str:
    """Returns the version of the library."""
    return str(library.dolmen_version().decode())


def execute(database: int, operation: bytes, request: bytes) -> tuple[int, bytes]:
    """Executes an operation. Returns the HTTP status and the answer, both in DynamoDB's form."""
    buffer = Buffer()
    status = _execute(database, operation, request, len(request), _byref(buffer))
    try:
        return status, _string_at(buffer.data, buffer.size)
    finally:
        _free(_byref(buffer))


def text(content: str) -> bytes:
    """Returns the content as an argument of a function.

    Raises:
        TypeError: the content is no str.
        ValueError: UTF-8 has no form of the content, or C would read it only in part.
    """
    return _whole(str.encode(content))


def path(given: Path) -> bytes:
    """Returns the bytes of a path as an argument of a function.

    Raises:
        TypeError: the argument is no path.
        ValueError: the file system has no form of the path, or C would read it only in part.
    """
    return _whole(os.fsencode(given))


# Writes JSON. Raises a ValueError for a number that JSON does not have, for example NaN.
to_json = json.JSONEncoder(allow_nan=False).encode


def json_text(content: str) -> bytes:
    """Returns a JSON text in UTF-8.

    Half of a surrogate pair becomes its escape in JSON, which the library refuses by its place.
    """
    return content.encode(errors="backslashreplace")


def key(given: bytes) -> str:
    """Returns an encryption key in the form of the library.

    Raises:
        TypeError: the key is not of bytes.
    """
    if not isinstance(given, (bytes, bytearray, memoryview)):
        raise TypeError(f"encryption_key must be bytes, not {type(given).__name__}")
    return given.hex()


def _whole(content: bytes) -> bytes:
    if b"\0" in content:
        raise ValueError(f"a text for the library contains a zero byte: {content!r}")
    return content


def call(name: str, *arguments: Any) -> bytes:
    """Calls a function whose last parameter is the response. Returns the response.

    Raises:
        Error: the function failed.
    """
    buffer = Buffer()
    status = getattr(library, name)(*arguments, _byref(buffer))
    try:
        answer = _string_at(buffer.data, buffer.size)
    finally:
        _free(_byref(buffer))
    if status != 200:
        raise error(answer)
    return answer


def call_out(name: str, *arguments: Any) -> int:
    """Calls a function that returns an object in its last parameter but one. Returns the object."""
    result = ctypes.c_void_p()
    call(name, *arguments, _byref(result))
    if result.value is None:
        raise Error("InternalServerError", f"{name} returned no object")
    return result.value


def error(answer: bytes) -> Error:
    """Returns the error that the answer of a failed call describes."""
    members = json.loads(answer) if answer else {}
    name = str(members.get("__type", "InternalServerError")).rpartition("#")[2]
    return Error(name, members.get("message", members.get("Message", "")), members)


def clock(database: int) -> int:
    """Returns the time of the database's clock in milliseconds since 1970."""
    milliseconds = ctypes.c_int64()
    call("dolmen_clock", database, _byref(milliseconds))
    return milliseconds.value
