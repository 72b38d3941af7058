"""The open databases of the process, at its end and after fork(2)."""

from __future__ import annotations

import atexit
import ctypes
import os
import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .database import Database

_open: weakref.WeakSet[Database] = weakref.WeakSet()
_has_opened = False


def register(database: Database) -> None:
    """Closes the database at the end of the interpreter, and abandons it after fork(2)."""
    global _has_opened  # pylint: disable=global-statement
    _has_opened = True
    _open.add(database)


def _close_all() -> None:
    for database in list(_open):
        database.close()


def _abandon_all() -> None:
    for database in list(_open):
        database._abandon()
    if _has_opened:
        _skip_destructors()


def _skip_destructors() -> None:
    """Ends this process without the destructors of the C library, when Python has finished.

    fork(2) does not copy the threads of RocksDB, and its destructors would wait for these threads.
    """
    libc = ctypes.CDLL(None)
    # libc calls the functions in reverse order: fcloseall writes the buffers, then _exit(status).
    libc.on_exit(libc._exit, None)
    libc.on_exit(libc.fcloseall, None)


# Python calls the functions of atexit while its threads can still run handlers of subscriptions.
atexit.register(_close_all)
os.register_at_fork(after_in_child=_abandon_all)
