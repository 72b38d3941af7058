"""The ways of a request from a client to a database.

| way | replaces | skips |
|---|---|---|
| direct | `_make_api_call` of the client | the endpoint, the user agent, signing, HTTP, parsing |
| before-call | the event of this name | signing, HTTP, parsing |
| before-send | the event of this name | HTTP |

botocore retries answers only in its HTTP layer. The first two ways call its retry handlers here,
so the mode and the number of attempts in a client's configuration hold for all ways.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from botocore.hooks import first_non_none_response

from .answers import Answers, AsyncResponse, Response
from .requests import Requests

if TYPE_CHECKING:
    from ..database import Database


class _Operation:
    """An operation: its requests, and its names in the database and in the events of a client."""

    def __init__(self, service: str, model: Any) -> None:
        name = f"{service}.{model.name}"
        self.model = model
        self.name: bytes = model.name.encode()
        self.requests = Requests(model)
        self.provide_params = f"provide-client-params.{name}"
        self.before_build = f"before-parameter-build.{name}"
        self.before_call = f"before-call.{name}"
        self.after_call = f"after-call.{name}"
        self.needs_retry = f"needs-retry.{name}"


class _Base:
    """The parts that synchronous and asynchronous calls share."""

    def __init__(self, database: Database, client: Any) -> None:
        self._database = database
        self._client = client
        self._events = client.meta.events
        self._answers = Answers()
        self._operations: dict[str, _Operation] = {}

    def _operation(self, name: str) -> _Operation:
        operation = self._operations.get(name)
        if operation is None:
            service_model = self._client.meta.service_model
            operation = self._operations[name] = _Operation(
                service_model.service_id.hyphenize(), service_model.operation_model(name)
            )
        return operation

    def _retry_event(
        self, operation: _Operation, params: Any, context: Any, answer: Any, attempts: int
    ) -> dict[str, Any]:
        """Returns the parameters of the event that asks the retry handlers of botocore."""
        context.setdefault("retries", {})["attempt"] = attempts
        return {
            "event_name": operation.needs_retry,
            "response": answer,
            "endpoint": getattr(self._client, "_endpoint", None),
            "operation": operation.model,
            "attempts": attempts,
            "caught_exception": None,
            "request_dict": {**params, "context": context},
        }

    @staticmethod
    def _delay(responses: Any) -> float | None:
        """Returns the seconds before the next attempt. None: the client does not try again."""
        delay = first_non_none_response(responses)
        return None if delay is None or delay is False else delay


class Calls(_Base):
    """The calls of a client of botocore."""

    def direct(self, operation_name: str, api_params: dict[str, Any]) -> Any:
        """Executes a call of the client, in place of BaseClient._make_api_call."""
        client, emit = self._client, self._events.emit
        operation = self._operation(operation_name)
        model = operation.model
        context = {
            "client_region": client.meta.region_name,
            "client_config": client.meta.config,
            "has_streaming_input": False,
            "auth_type": None,
        }
        changed = emit(operation.provide_params, params=api_params, model=model, context=context)
        api_params = first_non_none_response(changed, default=api_params)
        emit(operation.before_build, params=api_params, model=model, context=context)
        params = operation.requests.serialize(client._serializer, api_params)
        params["context"] = context
        _, answer = self._events.emit_until_response(
            operation.before_call,
            model=model,
            params=params,
            request_signer=client._request_signer,
            context=context,
        )
        http, parsed = answer if answer is not None else self._send(operation, params, context)
        emit(operation.after_call, http_response=http, parsed=parsed, model=model, context=context)
        if http.status_code < 300:
            return parsed
        code = context.get("error_code_override") or parsed.get("Error", {}).get("Code")
        raise client.exceptions.from_code(code)(parsed, operation_name)

    def before_call(self, model: Any, params: Any, context: Any, **_: Any) -> Any:
        """Answers the event before-call."""
        return self._send(self._operation(model.name), params, context)

    def before_send(self, request: Any, **_: Any) -> Response:
        """Answers the event before-send."""
        return Response(*self._database._execute(*_http_request(request)))

    def _send(self, operation: _Operation, params: Any, context: Any) -> Any:
        body, attempts = params["body"], 1
        while True:
            status, text = self._database._execute(operation.name, body)
            answer = self._answers.parse(operation.model, status, text, attempts)
            if status < 300:
                return answer
            event = self._retry_event(operation, params, context, answer, attempts)
            delay = self._delay(self._events.emit(**event))
            if delay is None:
                return answer
            time.sleep(delay)
            attempts += 1


class AsyncCalls(_Base):
    """The calls of a client of aiobotocore. The database executes them in threads."""

    async def before_call(self, model: Any, params: Any, context: Any, **_: Any) -> Any:
        """Answers the event before-call."""
        operation, body, attempts = self._operation(model.name), params["body"], 1
        execute = self._database._execute
        while True:
            status, text = await asyncio.to_thread(execute, operation.name, body)
            answer = self._answers.parse(operation.model, status, text, attempts)
            if status < 300:
                return answer
            event = self._retry_event(operation, params, context, answer, attempts)
            delay = self._delay(await self._events.emit(**event))
            if delay is None:
                return answer
            await asyncio.sleep(delay)
            attempts += 1

    async def before_send(self, request: Any, **_: Any) -> AsyncResponse:
        """Answers the event before-send."""
        return AsyncResponse(
            *await asyncio.to_thread(self._database._execute, *_http_request(request))
        )


def _http_request(request: Any) -> tuple[bytes, bytes]:
    """Returns the operation and the body of an HTTP request."""
    target = request.headers["X-Amz-Target"]
    target = target if isinstance(target, bytes) else target.encode()
    body = request.body
    return target.rpartition(b".")[2], body if isinstance(body, bytes) else body.encode()
