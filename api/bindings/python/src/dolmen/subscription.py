"""A subscription to the changes of a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import native
from .errors import Error
from .handle import Handle, Subscribed

if TYPE_CHECKING:
    from types import TracebackType


class Subscription:
    """An active subscription (Database.subscribe). A context manager that closes it."""

    def __init__(
        self,
        handle: Handle,
        table: str,
        name: str,
        handler: Callable[[list[dict[str, Any]]], Any],
    ) -> None:
        names = native.text(table), native.text(name)  # a wrong type is an error before anything is added
        self._subscribed = Subscribed(handler)
        handle.add(self._subscribed)
        try:
            self._subscribed.pointer = native.call_out(
                "dolmen_subscribe",
                handle.pointer,
                *names,
                self._subscribed.callback,
                None,
            )
        except Error:
            self._subscribed.is_stopped = True
            raise

    def close(self) -> None:
        """Waits for the running handler and stops calling it. A second call has no effect.

        Raises:
            Error: the handler of this subscription called close().
        """
        if self._subscribed.is_running_here():
            raise Error("ValidationException", "a handler cannot close its own subscription")
        self._subscribed.stop()

    def __enter__(self) -> Subscription:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
