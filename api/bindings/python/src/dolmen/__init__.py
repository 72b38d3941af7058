"""DynamoDB inside the process of a Python program.

Example:
    import dolmen

    with dolmen.Database("app.dolmen") as db:  # without an argument: in memory
        db.execute("PutItem", {"TableName": "app", "Item": {"PK": "CHAT#1", "SK": "MSG#1"}})
"""

from .backup import restore
from .database import Database
from .errors import ClosedError, Error
from .native import version
from .subscription import Subscription

__all__ = ["ClosedError", "Database", "Error", "Subscription", "restore", "version"]
