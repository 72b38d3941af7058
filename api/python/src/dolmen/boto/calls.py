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

if TYPE_CHECKING:
    from ..database import Database


class _Request:
    """A request that a client has serialized, and the number of times that it was sent."""

    def __init__(self, model: Any, params: dict[str, Any], context: dict[str, Any]) -> None:
        self.model = model
        self.operation = model.name.encode()
        self.body: bytes = params["body"]
        self.params = params
        self.context = context
        self.attempts = 1


class _Base:
    """The parts that synchronous and asynchronous calls share."""

    def __init__(self, database: Database, client: Any) -> None:
        self._database = database
        self._client = client
        self._events = client.meta.events
        self._service: str = client.meta.service_model.service_id.hyphenize()
        self._answers = Answers()

    def _retry_event(self, request: _Request, answer: Any) -> dict[str, Any]:
        """Returns the parameters of the event that asks the retry handlers of botocore."""
        request.context.setdefault("retries", {})["attempt"] = request.attempts
        return {
            "event_name": f"needs-retry.{self._service}.{request.model.name}",
            "response": answer,
            "endpoint": getattr(self._client, "_endpoint", None),
            "operation": request.model,
            "attempts": request.attempts,
            "caught_exception": None,
            "request_dict": {**request.params, "context": request.context},
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
        model = client.meta.service_model.operation_model(operation_name)
        context = {
            "client_region": client.meta.region_name,
            "client_config": client.meta.config,
            "has_streaming_input": False,
            "auth_type": None,
        }
        name = f"{self._service}.{operation_name}"
        changed = emit(
            f"provide-client-params.{name}", params=api_params, model=model, context=context
        )
        api_params = first_non_none_response(changed, default=api_params)
        emit(f"before-parameter-build.{name}", params=api_params, model=model, context=context)
        params = client._serializer.serialize_to_request(api_params, model)
        params["context"] = context
        _, answer = self._events.emit_until_response(
            f"before-call.{name}",
            model=model,
            params=params,
            request_signer=client._request_signer,
            context=context,
        )
        http, parsed = answer if answer is not None else self._send(model, params, context)
        emit(f"after-call.{name}", http_response=http, parsed=parsed, model=model, context=context)
        if http.status_code < 300:
            return parsed
        code = context.get("error_code_override") or parsed.get("Error", {}).get("Code")
        raise client.exceptions.from_code(code)(parsed, operation_name)

    def before_call(self, model: Any, params: Any, context: Any, **_: Any) -> Any:
        """Answers the event before-call."""
        return self._send(model, params, context)

    def before_send(self, request: Any, **_: Any) -> Response:
        """Answers the event before-send."""
        return Response(*self._database._execute(*_http_request(request)))

    def _send(self, model: Any, params: Any, context: Any) -> Any:
        request = _Request(model, params, context)
        while True:
            status, body = self._database._execute(request.operation, request.body)
            answer = self._answers.parse(model, status, body, request.attempts)
            if status < 300:
                return answer
            delay = self._delay(self._events.emit(**self._retry_event(request, answer)))
            if delay is None:
                return answer
            time.sleep(delay)
            request.attempts += 1


class AsyncCalls(_Base):
    """The calls of a client of aiobotocore. The database executes them in threads."""

    async def before_call(self, model: Any, params: Any, context: Any, **_: Any) -> Any:
        """Answers the event before-call."""
        request = _Request(model, params, context)
        while True:
            status, body = await asyncio.to_thread(
                self._database._execute, request.operation, request.body
            )
            answer = self._answers.parse(model, status, body, request.attempts)
            if status < 300:
                return answer
            delay = self._delay(await self._events.emit(**self._retry_event(request, answer)))
            if delay is None:
                return answer
            await asyncio.sleep(delay)
            request.attempts += 1

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
