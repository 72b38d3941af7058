"""The open databases of the process, at its end and after fork(2)."""

from __future__ import annotations

import atexit
import os
import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .database import Database

_open: weakref.WeakSet[Database] = weakref.WeakSet()


def register(database: Database) -> None:
    """Closes the database at the end of the interpreter, and abandons it after fork(2)."""
    _open.add(database)


def _close_all() -> None:
    for database in list(_open):
        database.close()


def _abandon_all() -> None:
    for database in list(_open):
        database._abandon()


# Python calls the functions of atexit while its threads can still run handlers of subscriptions.
atexit.register(_close_all)
os.register_at_fork(after_in_child=_abandon_all)
