"""Attachments of a database to clients, resources, sessions and modules."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any, Literal

import botocore.handlers
from botocore.client import BaseClient

from .calls import AsyncCalls, Calls

if TYPE_CHECKING:
    from ..database import Database

Way = Literal["direct", "before-call", "before-send"]
_WAYS = ("direct", "before-call", "before-send")
_SERVICES = ("dynamodb", "dynamodb-streams")  # as botocore names them in events


class Attachment:
    """The connection of a database with a client, a session or a module."""

    def __init__(self) -> None:
        self._undo: list[Any] = []

    def close(self) -> None:
        """Restores the target. Clients that an attached session created stay attached."""
        while self._undo:
            self._undo.pop()()

    def __enter__(self) -> Attachment:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _later(self, function: Any, *arguments: Any) -> None:
        self._undo.append(lambda: function(*arguments))


def attach(database: Database, target: Any, way: Way) -> Attachment:
    """Attaches the database to the target (Database.attach)."""
    if way not in _WAYS:
        raise ValueError(f"unknown way {way!r}: use one of {', '.join(_WAYS)}")
    attachment = Attachment()
    if isinstance(target, types.ModuleType):
        _attach_module(attachment, database, target, way)
    elif (client := _client_of(target)) is not None:
        _attach_client(attachment, database, client, way)
    else:
        _attach_session(attachment, _emitter_of(target), _hook(database, way))
    return attachment


def _client_of(target: Any) -> Any:
    """Returns the client of a resource, or the target if it is a client. None: it is neither."""
    if isinstance(target, BaseClient):
        return target
    return getattr(getattr(target, "meta", None), "client", None)


def _emitter_of(session: Any) -> Any:
    """Returns the events of a session of boto3, botocore or aiobotocore."""
    session = getattr(session, "_session", session)
    if not hasattr(session, "get_component"):
        raise TypeError(f"{session!r} is neither a client nor a resource nor a session")
    return session.get_component("event_emitter")


def _attach_client(attachment: Attachment, database: Database, client: Any, way: Way) -> None:
    service = client.meta.service_model.service_id.hyphenize()
    if service not in _SERVICES:
        raise ValueError(f"a client of {service} has no requests for DynamoDB")
    previous = client.__dict__.get("_dolmen_attachment")
    if previous is not None:
        previous.close()
    client._dolmen_attachment = attachment
    attachment._later(client.__dict__.pop, "_dolmen_attachment", None)
    is_async = hasattr(client, "__aenter__")
    calls: Any = AsyncCalls(database, client) if is_async else Calls(database, client)
    if way == "direct" and not is_async and hasattr(client, "_serializer"):
        client._make_api_call = calls.direct
        attachment._later(client.__dict__.pop, "_make_api_call", None)
        return
    name = "before-send" if way == "before-send" else "before-call"
    handler = calls.before_send if way == "before-send" else calls.before_call
    _register(attachment, client.meta.events, f"{name}.{service}", handler)


def _register(attachment: Attachment, events: Any, event: str, handler: Any) -> None:
    """Registers a handler that runs last. Other handlers see the event first, and can answer it."""
    events.register_last(event, handler)
    attachment._later(events.unregister, event, handler)


def _hook(database: Database, way: Way) -> Any:
    """Returns a handler of the event that creates the class of a client."""

    class Attached:
        """A base class of clients, which attaches them to the database."""

        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            _attach_client(Attachment(), database, self, way)

    def add_base_class(base_classes: list[type], **_: Any) -> None:
        base_classes[:] = [Attached] + [
            base for base in base_classes if base.__qualname__ != Attached.__qualname__
        ]

    return add_base_class


def _attach_session(attachment: Attachment, events: Any, hook: Any) -> None:
    for service in _SERVICES:
        _register(attachment, events, f"creating-client-class.{service}", hook)


def _attach_module(
    attachment: Attachment, database: Database, module: types.ModuleType, way: Way
) -> None:
    """Attaches the database to the default session of boto3, and to all sessions of the future."""
    hook = _hook(database, way)
    handlers: list[Any] = botocore.handlers.BUILTIN_HANDLERS
    for service in _SERVICES:
        entry = (f"creating-client-class.{service}", hook)
        handlers.append(entry)
        attachment._later(handlers.remove, entry)
    default = getattr(module, "DEFAULT_SESSION", None)
    if default is not None:
        _attach_session(attachment, _emitter_of(default), hook)
