"""The errors of a database."""

from __future__ import annotations

from typing import Any


class Error(Exception):
    """An error of a request or of the database.

    name: DynamoDB's name of the error, for example "ConditionalCheckFailedException".
    message: the text of the error.
    response: all members of the answer. The item of a failed condition and the reasons of a
        canceled transaction are among them, as plain Python values.
    """

    name: str
    message: str
    response: dict[str, Any]

    def __init__(self, name: str, message: str, response: dict[str, Any] | None = None) -> None:
        super().__init__(name, message, response)
        self.name = name
        self.message = message
        self.response = response if response is not None else {}

    def __str__(self) -> str:
        return f"{self.name}: {self.message}"


class ClosedError(Error):
    """The error of a call after Database.close(), or in a process that fork(2) created."""

    def __init__(self, message: str) -> None:
        super().__init__("ClosedError", message)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message,)
