"""An open database."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from . import lifetime, native, shapes
from .errors import ClosedError, Error
from .handle import Handle
from .native import Path
from .subscription import Subscription

if TYPE_CHECKING:
    from types import TracebackType

    from mypy_boto3_dynamodb import DynamoDBClient, DynamoDBServiceResource
    from mypy_boto3_dynamodbstreams import DynamoDBStreamsClient

    from .boto.attach import Attachment, Way

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
_MILLISECOND = datetime.timedelta(milliseconds=1)
_ABANDONED = (
    "fork(2) created this process after the database was opened: fork before the first open"
)


class Database:
    """An open database, in memory or in a directory.

    A Database is thread-safe, and its calls release the GIL. It is a context manager that closes
    the database. The garbage collector and the end of the interpreter also close it. A child
    process of os.fork() cannot use the databases of its parent (ClosedError), and cannot open one.
    """

    def __init__(
        self,
        path: Path | None = None,
        *,
        clock: Literal["system", "manual"] | datetime.datetime = "system",
        region: str = "us-east-1",
        account: str = "000000000000",
        durability: Literal["sync", "buffered"] = "sync",
        on_conflict: Literal["wait", "fail"] = "wait",
        read_only: bool = False,
        create: bool = True,
        encryption_key: bytes | None = None,
        cache_bytes: int | None = None,
        row_cache_bytes: int | None = None,
        expiry_lag: datetime.timedelta | None = None,
        simulate: Mapping[str, Any] | None = None,
    ) -> None:
        """Opens a database.

        Args:
            path: the directory of the database; its bytes need not be UTF-8. None: a new database
                in memory.
            clock: "system" is the time of the machine. "manual" begins at that time and stands
                still until advance(). A datetime is the beginning of a manual clock.
            region: the region in ARNs and of the clients of client() and resource().
            account: the account in ARNs, 12 digits.
            durability: "sync": an acknowledged write survives a power cut. "buffered": it survives
                a crash of the process, and writes are faster.
            on_conflict: "wait": a write waits for a transaction that has locked its item. "fail":
                the write fails with TransactionConflictException.
            read_only: opens the directory without changing it, and refuses writes.
            create: creates the directory if it has no database.
            encryption_key: the key of all files, 32 bytes. None: the files are not encrypted.
            cache_bytes: the size of the read cache. None: 64 MiB.
            row_cache_bytes: the size of the row cache. None: 32 MiB.
            expiry_lag: the time within which an expired item is deleted. Zero: only expire()
                deletes expired items. None: one minute.
            simulate: the simulation that begins with the database, as for simulate(). {} simulates
                no failures. None: the database and its forks have no simulation.

        Raises:
            Error: the database cannot be opened, or an option is wrong.
            TypeError, ValueError: the path or an option has a wrong type, or the clock is a time
                without a time zone. The directory is as it was.
        """
        options: dict[str, Any] = {
            "ReadOnly": read_only,
            "CreateIfMissing": create,
            "Durability": durability,
            "OnConflict": on_conflict,
            "EncryptionKey": None if encryption_key is None else native.key(encryption_key),
            "CacheBytes": cache_bytes,
            "RowCacheBytes": row_cache_bytes,
            "Clock": _milliseconds(clock) if isinstance(clock, datetime.datetime) else clock,
            "ExpiryLagSeconds": _seconds(expiry_lag),
            "Simulate": simulate,
            "Region": region,
            "Account": account,
        }
        if not isinstance(clock, (str, datetime.datetime)):
            raise TypeError(f"clock must be str or datetime, not {type(clock).__name__}")
        given = {name: value for name, value in options.items() if value is not None}
        # All options are checked before the library opens the directory, so an error leaves no
        # database open.
        directory = None if path is None else native.path(path)
        pointer = native.call_out("dolmen_open_directory", directory, _options_text(given))
        self._adopt(Handle(pointer), region)

    def _adopt(self, handle: Handle, region: str) -> None:
        self._handle: Handle | None = handle
        self._region = region
        self._is_abandoned = False
        lifetime.register(self)

    def _open_handle(self) -> Handle:
        handle = self._handle
        if handle is None:
            raise ClosedError(_ABANDONED if self._is_abandoned else "the database is closed")
        return handle

    def _call(self, name: str, *arguments: Any) -> bytes:
        handle = self._open_handle()
        return native.call(name, handle.pointer, *arguments)

    # Requests

    def execute(
        self, operation: str, request: Mapping[str, Any] | None = None, /
    ) -> dict[str, Any]:
        """Executes an operation of DynamoDB or of DynamoDB Streams, for example "PutItem".

        The members of the request and of the answer have DynamoDB's names. Attribute values are
        plain Python values in both (dolmen.values lists the types).

        Raises:
            Error: the request failed. Error.name is DynamoDB's name of the error.
            TypeError, ValueError: DynamoDB has no type for a value of the request.
        """
        body = native.to_json(shapes.encode_request(operation, request or {})).encode()
        status, text = self._execute(native.text(operation), body)
        answer = json.loads(text) if text else {}
        if status == 200:
            return dict(shapes.decode_answer(operation, answer))
        failed = native.error(text)
        failed.response = shapes.decode_error(failed.response)
        raise failed

    def execute_json(self, operation: str, request: bytes | str, /) -> bytes:
        """Executes an operation whose request and answer are DynamoDB's JSON.

        Raises:
            Error: the request failed.
        """
        body = native.json_text(request) if isinstance(request, str) else request
        status, answer = self._execute(native.text(operation), body)
        if status != 200:
            raise native.error(answer)
        return answer

    def _execute(self, operation: bytes, request: bytes) -> tuple[int, bytes]:
        """Returns the HTTP status and the answer in DynamoDB's JSON."""
        handle = self._open_handle()
        return native.execute(handle.pointer, operation, request)

    # Lifetime

    def close(self) -> None:
        """Stops the subscriptions and closes the database. A second call has no effect.

        Calls in other threads finish first: the last call closes the files.

        Raises:
            Error: a handler of a subscription called close().
        """
        handle = self._handle
        if handle is None:
            return
        if handle.is_in_handler():
            raise Error("ValidationException", "a handler of a subscription cannot close it")
        self._handle = None
        handle.stop()

    def _abandon(self) -> None:
        """Closes the database in a child process of fork(2), without a call of the library."""
        handle, self._handle = self._handle, None
        if handle is not None:
            handle.abandon()
            self._is_abandoned = True

    def __enter__(self) -> Database:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<dolmen.Database {'closed' if self._handle is None else 'open'}>"

    def fork(self, path: Path | None = None) -> Database:
        """Returns an independent database with the same contents, options and time.

        The cost does not depend on the number of items if both databases are in memory, or both
        are on one volume. The two can be closed in any order.

        Args:
            path: the directory of the fork, which is absent or empty. None: a fork in memory.

        Raises:
            Error: the directory is in use or not empty, or the database is read-only.
        """
        directory = None if path is None else native.path(path)
        handle = self._open_handle()
        fork = Database.__new__(Database)
        pointer = native.call_out("dolmen_fork", handle.pointer, directory)
        fork._adopt(Handle(pointer), self._region)
        return fork

    def reset(self) -> None:
        """Brings a database in memory back to its beginning. The clock stays as it is.

        A fork gets back the contents with which fork() created it. Any other database loses its
        tables. Subscriptions end.

        Raises:
            Error: the database is on disk.
        """
        self._call("dolmen_reset")

    def backup(self, path: Path) -> dict[str, int]:
        """Copies the database into a directory while all operations continue.

        Args:
            path: a directory that is absent or empty, or holds an earlier backup of this database.
                Then only new files are copied.

        Returns:
            {"Bytes": the size of the backup, "CopiedBytes": the size of the copied files}.

        Raises:
            Error: the backup cannot be written. An earlier backup stays.
        """
        return dict(json.loads(self._call("dolmen_backup", native.path(path))))

    def load_seed(self, seed: Mapping[str, Any] | str | bytes) -> None:
        """Creates the tables of a seed with their items.

        Args:
            seed: {"Tables": [...]}, or its JSON text. Each table is a request of CreateTable, with
                "Items" in DynamoDB's JSON and "TimeToLiveSpecification" in addition. A data model
                of NoSQL Workbench is a seed, too.

        Raises:
            Error: the seed is wrong, or one of its tables exists. No table is created.
        """
        text = _json_bytes(seed)
        self._call("dolmen_load_seed", text, len(text))

    # Time

    @property
    def clock(self) -> datetime.datetime:
        """The time of the database's clock, in UTC. Setting it needs a manual clock."""
        handle = self._open_handle()
        return _EPOCH + native.clock(handle.pointer) * _MILLISECOND

    @clock.setter
    def clock(self, time: datetime.datetime) -> None:
        self._call("dolmen_set_clock", _milliseconds(time))

    def advance(self, time: datetime.timedelta) -> datetime.datetime:
        """Advances a manual clock. Returns its new time."""
        self.clock = self.clock + time
        return self.clock

    def expire(self) -> int:
        """Deletes all expired items now. Returns their number."""
        return int(json.loads(self._call("dolmen_expire"))["ExpiredItems"])

    def wait(self) -> None:
        """Waits until all indexes are built."""
        self._call("dolmen_wait")

    # Failures

    def simulate(self, simulation: Mapping[str, Any] | None = None) -> None:
        """Replaces the simulation of failures and clears its trace.

        The same seed and the same calls give the same failures.

        Args:
            simulation: {"Seed": 7, "Rules": [{"Operation": "PutItem", "Fault": "Throttling"}]}.
                README.md lists the members. None: nothing fails from now on.

        Raises:
            Error: a member is unknown or wrong, or the database was opened without `simulate`.
        """
        text = _json_bytes(simulation or {})
        self._call("dolmen_simulate", text, len(text))

    def trace(self) -> list[str]:
        """Returns a line for each failure since the simulation began.

        The member "Replay" of a simulation repeats the failures of such lines.

        Raises:
            Error: the database was opened without `simulate`.
        """
        return list(json.loads(self._call("dolmen_trace"))["Trace"])

    # Changes

    def subscribe(
        self, table: str, name: str, handler: Callable[[list[dict[str, Any]]], Any]
    ) -> Subscription:
        """Calls the handler with the changes of a table that has a stream.

        The library calls the handler in a thread of its own, with a list of records as GetRecords
        returns them, whose attribute values are plain Python values. If the handler raises an
        exception, it gets the same records again a second later. The database stores the position
        under the name: a later subscription of the name resumes there.

        Raises:
            Error: the table does not exist or has no stream, or a running subscription has the
                name.
        """
        return Subscription(self._open_handle(), table, name, handler)

    # AWS SDK

    @overload
    def client(self, service: Literal["dynamodb"] = ..., **options: Any) -> DynamoDBClient: ...
    @overload
    def client(
        self, service: Literal["dynamodbstreams"], **options: Any
    ) -> DynamoDBStreamsClient: ...

    def client(self, service: str = "dynamodb", **options: Any) -> Any:
        """Returns a boto3 client whose requests this database executes.

        Args:
            service: "dynamodb" or "dynamodbstreams".
            options: the options of boto3.Session.client, for example config, and `way` as for
                attach().
        """
        from .boto import clients  # pylint: disable=import-outside-toplevel

        return clients.client(self, self._region, service, **options)

    def resource(self, **options: Any) -> DynamoDBServiceResource:
        """Returns a boto3 resource whose requests this database executes.

        Args:
            options: the options of boto3.Session.resource, and `way` as for attach().
        """
        from .boto import clients  # pylint: disable=import-outside-toplevel

        created: DynamoDBServiceResource = clients.resource(self, self._region, **options)
        return created

    def attach(self, target: Any, *, way: Way = "direct") -> Attachment:
        """Executes the requests of clients that other code creates.

        Args:
            target: a client, a resource or a Table of boto3, or a client of aiobotocore: its
                requests. A session: the requests of all clients that it creates from now on. The
                module boto3 or botocore: the same for the default session and for all sessions
                that are created from now on.
            way: how a client calls the database. README.md compares the ways.

        Returns:
            An Attachment. Its close() restores the target, and it is a context manager.
        """
        from .boto import attach  # pylint: disable=import-outside-toplevel

        return attach.attach(self, target, way)


def _milliseconds(time: datetime.datetime) -> int:
    """Returns the time in milliseconds since 1970."""
    if time.tzinfo is None:
        raise ValueError("the time has no time zone: use datetime(..., tzinfo=timezone.utc)")
    return (time - _EPOCH) // _MILLISECOND


def _seconds(time: datetime.timedelta | None) -> int | None:
    """Returns the time in seconds, rounded away from zero."""
    if time is None:
        return None
    if not isinstance(time, datetime.timedelta):
        raise TypeError(f"expiry_lag must be a timedelta, not {type(time).__name__}")
    second = datetime.timedelta(seconds=1)
    return -(-time // second) if time > datetime.timedelta(0) else time // second


def _options_text(options: dict[str, Any]) -> bytes:
    texts = []
    for name, value in options.items():
        try:
            texts.append(f'"{name}": {native.to_json(value)}')
        except (TypeError, ValueError) as error:
            raise type(error)(f"the option {name} has no form in JSON: {error}") from error
    return f"{{{', '.join(texts)}}}".encode()


def _json_bytes(value: Mapping[str, Any] | str | bytes) -> bytes:
    if isinstance(value, bytes):
        return value
    return native.json_text(value if isinstance(value, str) else native.to_json(value))
