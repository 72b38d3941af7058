"""Ownership of the C objects of a database."""

from __future__ import annotations

import ctypes
import json
import logging
import threading
from collections.abc import Callable
from typing import Any

from . import native, shapes

_log = logging.getLogger("dolmen")


class Subscribed:
    """A subscription of the C library and the callback that it calls."""

    def __init__(self, handler: Callable[[list[dict[str, Any]]], Any]) -> None:
        self.pointer: int | None = None
        self.is_stopped = False
        self._handler = handler
        self._threads: set[int] = set()
        self.callback = native.Handler(self._call)

    def is_running_here(self) -> bool:
        """Returns true if the calling thread is executing the handler."""
        return threading.get_ident() in self._threads

    def stop(self) -> None:
        """Waits for the handler and stops calling it."""
        pointer, self.pointer = self.pointer, None
        if pointer is not None:
            native.library.dolmen_unsubscribe(pointer)
            self.is_stopped = True

    def _call(self, _context: int | None, records: int, size: int) -> int:
        thread = threading.get_ident()
        self._threads.add(thread)
        try:
            self._handler(shapes.decode_records(json.loads(ctypes.string_at(records, size))))
            return 0
        except BaseException:  # pylint: disable=broad-except
            # sys.exit and pytest.fail come here, too. ctypes would ignore them, and acknowledge the records.
            _log.exception("A handler of a subscription failed. It gets the same records again.")
            return 1
        finally:
            self._threads.discard(thread)


class Handle:
    """An open database of the C library.

    Each call of the library holds a reference to the handle. The last reference closes the
    database, so no thread uses a closed database.
    """

    def __init__(self, pointer: int) -> None:
        self.pointer = pointer
        self.subscribed: list[Subscribed] = []

    def add(self, subscribed: Subscribed) -> None:
        """Keeps the callback, which must live until the C library no longer calls it."""
        self.subscribed = [kept for kept in self.subscribed if not kept.is_stopped]
        self.subscribed.append(subscribed)

    def abandon(self) -> None:
        """Forgets the C objects. A process that fork(2) created must not free them."""
        self.pointer = 0
        for subscribed in self.subscribed:
            subscribed.pointer = None

    def stop(self) -> None:
        """Stops all subscriptions."""
        while self.subscribed:
            self.subscribed.pop().stop()

    def is_in_handler(self) -> bool:
        """Returns true if the calling thread is executing a handler of a subscription."""
        return any(subscribed.is_running_here() for subscribed in self.subscribed)

    def __del__(self) -> None:
        # A handler that drops the last reference would wait for itself. The memory then stays.
        if self.pointer and not self.is_in_handler():
            self.stop()
            native.library.dolmen_close(self.pointer)
