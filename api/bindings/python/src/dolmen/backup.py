"""Copies a backup back into a database. Database.backup writes the backup."""

from __future__ import annotations

import json

from . import native
from .native import Path


def restore(
    backup: Path,
    path: Path,
    *,
    encryption_key: bytes | None = None,
) -> dict[str, int]:
    """Copies a backup into a directory that is absent or empty. It becomes a database.

    Args:
        backup: the directory of Database.backup.
        path: the directory of the new database.
        encryption_key: the key of the database, 32 bytes. None: it is not encrypted.

    Returns:
        {"Bytes": the size of the database, "CopiedBytes": the size of the copied files}.

    Raises:
        Error: the backup is not complete, the directory is not empty, or the key is wrong.
    """
    key = None if encryption_key is None else native.key(encryption_key).encode()
    answer = native.call("dolmen_restore", native.path(backup), native.path(path), key)
    return dict(json.loads(answer))
