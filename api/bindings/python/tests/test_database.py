"""Tests of the lifetime of databases, and of their forks, clocks, seeds, backups and changes."""

import datetime
import gc
import os
import pathlib
import queue
import threading
import weakref

import dolmen
import pytest
from conftest import BEGIN, TABLE, get, key, put

HOUR = datetime.timedelta(hours=1)

# A call of each function of a database.
CALLS = {
    "execute": lambda db: db.execute("ListTables"),
    "execute_json": lambda db: db.execute_json("ListTables", "{}"),
    "fork": lambda db: db.fork(),
    "reset": lambda db: db.reset(),
    "backup": lambda db: db.backup("backup"),
    "load_seed": lambda db: db.load_seed({"Tables": []}),
    "clock": lambda db: db.clock,
    "set clock": lambda db: setattr(db, "clock", BEGIN),
    "advance": lambda db: db.advance(HOUR),
    "expire": lambda db: db.expire(),
    "wait": lambda db: db.wait(),
    "simulate": lambda db: db.simulate(),
    "trace": lambda db: db.trace(),
    "subscribe": lambda db: db.subscribe("app", "name", print),
}


def test_a_directory_keeps_its_items(tmp_path):
    with dolmen.Database(tmp_path / "app.dolmen") as db:
        db.execute("CreateTable", TABLE)
        item = put(db)
    with dolmen.Database(str(tmp_path / "app.dolmen")) as db:
        assert get(db) == item


def test_a_directory_is_open_once(tmp_path):
    with dolmen.Database(tmp_path), pytest.raises(dolmen.Error, match="ResourceInUseException"):
        dolmen.Database(tmp_path)


def test_a_read_only_database_refuses_writes(tmp_path):
    with dolmen.Database(tmp_path) as db:
        db.execute("CreateTable", TABLE)
    with dolmen.Database(tmp_path, read_only=True) as db:
        with pytest.raises(dolmen.Error):
            put(db)
        assert get(db) is None


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"create": False}, "."),
        ({"durability": "sometimes"}, "Durability"),
        ({"account": "1"}, "Account"),
        ({"encryption_key": b"short"}, "EncryptionKey"),
        ({"encryption_key": "k" * 32}, "encryption_key must be bytes, not str"),
        ({"clock": "sytem"}, "Clock"),
        ({"clock": None}, "clock must be str or datetime"),
        ({"clock": datetime.datetime(2026, 4, 15)}, "no time zone"),
        ({"clock": BEGIN.replace(year=9999)}, "years 1970 to 9998"),
        ({"read_only": 1}, "ReadOnly"),
        ({"create": "no"}, "CreateIfMissing"),
        ({"on_conflict": b"fail"}, "the option OnConflict has no form in JSON"),
        ({"cache_bytes": 1.5}, "CacheBytes"),
        ({"row_cache_bytes": float("nan")}, "the option RowCacheBytes has no form in JSON"),
        ({"expiry_lag": 60}, "expiry_lag must be a timedelta"),
        ({"expiry_lag": datetime.timedelta(milliseconds=-1)}, "ExpiryLagSeconds"),
        ({"simulate": []}, "simulation"),
        ({"region": "\ud83d"}, "half of a surrogate pair"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_wrong_option_is_an_error_and_opens_nothing(tmp_path, options, words):
    with pytest.raises((dolmen.Error, TypeError, ValueError), match=words):
        dolmen.Database(tmp_path / "app", **options)
    assert not list(tmp_path.iterdir())
    dolmen.Database(tmp_path / "app").close()


@pytest.mark.parametrize("kind", [str, bytes, pathlib.Path])
def test_a_path_is_the_bytes_of_the_file_system(tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    names = [b"\xff\xfe", b"\xff\xfe backup", b"\xff\xfe copy", b"\xff\xfe fork"]
    path, backup, copy, fork = names if kind is bytes else [kind(os.fsdecode(n)) for n in names]
    with dolmen.Database(path) as db:
        db.execute("CreateTable", TABLE)
        item = put(db)
        db.backup(backup)
        db.fork(fork).close()
    dolmen.restore(backup, copy)
    for made in (path, copy, fork):
        with dolmen.Database(made, create=False) as db:
            assert get(db) == item
    assert sorted(os.listdir(b".")) == names


@pytest.mark.parametrize("path", [5, False, {}, ["a"], object(), "a\0b", b"a\0b", "\ud83d", "", b""])
def test_what_is_no_path_creates_nothing(db, tmp_path, monkeypatch, path):
    monkeypatch.chdir(tmp_path)
    for use in (dolmen.Database, db.fork, db.backup, lambda to: dolmen.restore("a", to)):
        with pytest.raises((dolmen.Error, TypeError, ValueError)):
            use(path)
    with pytest.raises(TypeError):
        db.backup(None)
    assert not os.listdir(".")


def test_the_region_and_the_account_are_in_arns():
    with dolmen.Database(region="eu-west-1", account="123456789012") as db:
        table = db.execute("CreateTable", TABLE)["TableDescription"]
    assert table["TableArn"] == "arn:aws:dynamodb:eu-west-1:123456789012:table/app"


def test_an_encrypted_database_needs_its_key(tmp_path):
    with dolmen.Database(tmp_path, encryption_key=b"k" * 32) as db:
        db.execute("CreateTable", TABLE)
        item = put(db)
    with pytest.raises(dolmen.Error):
        dolmen.Database(tmp_path)
    with dolmen.Database(tmp_path, encryption_key=b"k" * 32) as db:
        assert get(db) == item


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_call_after_close_is_an_error(db, call):
    db.close()
    db.close()
    with pytest.raises(dolmen.ClosedError, match="the database is closed"):
        call(db)


def test_the_garbage_collector_closes_a_database(tmp_path):
    db = dolmen.Database(tmp_path)
    cycle = [db]
    cycle.append(cycle)
    del db, cycle
    gc.collect()
    dolmen.Database(tmp_path).close()


def test_the_garbage_collector_ends_subscriptions(db):
    class Owner:
        """An object whose handler refers to its database."""

        def __init__(self, database):
            self.database = database
            database.subscribe("app", "owner", self.handle)

        def handle(self, _records):
            pass

    fork = db.fork()
    owner = weakref.ref(Owner(fork))
    del fork
    gc.collect()
    assert owner() is None


def test_a_database_closes_after_the_calls_of_other_threads(tmp_path):
    db = dolmen.Database(tmp_path)
    db.execute("CreateTable", TABLE)
    started = threading.Barrier(9)
    errors = []

    def write():
        started.wait()
        try:
            for number in range(100_000):
                put(db, str(number))
        except dolmen.ClosedError as error:
            errors.append(error)

    threads = [threading.Thread(target=write) for _ in range(8)]
    for thread in threads:
        thread.start()
    started.wait()
    db.close()
    for thread in threads:
        thread.join()
    assert len(errors) == 8
    dolmen.Database(tmp_path).close()


@pytest.mark.parametrize("place", ["None", "sys.argv[1]"], ids=["in memory", "in a directory"])
@pytest.mark.parametrize("end", ["pass", "sys.exit()", "raise SystemExit(0)", "os._exit(0)"])
def test_the_interpreter_ends_with_an_open_database(run_python, tmp_path, place, end):
    program = f"""
import os, sys, threading, dolmen
db = dolmen.Database({place})
db.execute("CreateTable", {TABLE!r})
db.subscribe("app", "name", lambda records: None)
def read():
    try:
        while True:
            db.execute("Scan", {{"TableName": "app"}})
    except dolmen.ClosedError:
        pass
threading.Thread(target=read, daemon=True).start()
for number in range(100):
    db.execute("PutItem", {{"TableName": "app", "Item": {{"PK": "a", "SK": str(number)}}}})
{end}
"""
    run_python(program, tmp_path / "db")
    if place != "None":
        with dolmen.Database(tmp_path / "db") as db:
            assert db.execute("Scan", {"TableName": "app"})["Count"] == 100


def test_a_process_of_fork_cannot_use_a_database(run_python, tmp_path):
    program = f"""
import os, sys, dolmen
db = dolmen.Database(sys.argv[1])
db.execute("CreateTable", {TABLE!r})
subscription = db.subscribe("app", "name", lambda records: None)
child = os.fork()
if child == 0:
    try:
        db.execute("ListTables")
    except dolmen.ClosedError as error:
        print(error, flush=True)
    subscription.close()
    db.close()
    sys.exit()
os.waitpid(child, 0)
print(db.execute("ListTables")["TableNames"])
"""
    assert run_python(program, tmp_path).splitlines() == [
        "ClosedError: fork(2) created this process after the database was opened: fork before"
        " the first open",
        "['app']",
    ]


def test_boto3_is_not_imported_without_a_client(run_python):
    program = """
import sys, dolmen
with dolmen.Database() as db:
    db.execute("ListTables")
print(sorted({"boto3", "botocore", "pytest"} & sys.modules.keys()))
"""
    assert run_python(program) == "[]\n"


def test_forks_are_independent(db, tmp_path):
    item = put(db)
    with db.fork() as fork, db.fork(tmp_path / "fork") as on_disk:
        put(fork, "2")
        put(db, "3")
        assert [get(fork), get(on_disk), get(db)] == [item] * 3
        assert (get(db, "2"), get(fork, "3"), get(on_disk, "3")) == (None, None, None)
        fork.reset()
        assert (get(fork), get(fork, "2")) == (item, None)
        with pytest.raises(dolmen.Error):
            on_disk.reset()


def test_a_fork_outlives_its_database():
    db = dolmen.Database()
    db.execute("CreateTable", TABLE)
    fork = db.fork()
    db.close()
    put(fork)
    fork.close()


def test_a_seed_creates_tables_with_items(db):
    item = {"PK": {"S": "a"}, "SK": {"S": "1"}}
    db.load_seed({"Tables": [{**TABLE, "TableName": "seed", "Items": [item]}]})
    assert db.execute("Scan", {"TableName": "seed"})["Items"] == [{"PK": "a", "SK": "1"}]
    with pytest.raises(dolmen.Error):
        db.load_seed("no seed")


def test_a_backup_becomes_a_database(db, tmp_path):
    item = put(db)
    done = db.backup(tmp_path / "backup")
    assert done["Bytes"] >= done["CopiedBytes"] > 0
    dolmen.restore(tmp_path / "backup", tmp_path / "restored")
    with dolmen.Database(tmp_path / "restored") as restored:
        assert get(restored) == item
    with pytest.raises(dolmen.Error):
        dolmen.restore(tmp_path / "nowhere", tmp_path / "other")


def test_a_manual_clock_stands_still(db):
    assert db.clock == BEGIN
    assert db.advance(HOUR) == BEGIN + HOUR
    db.clock = BEGIN + datetime.timedelta(milliseconds=1)
    assert db.clock == BEGIN + datetime.timedelta(milliseconds=1)
    with pytest.raises(ValueError, match="time zone"):
        db.clock = datetime.datetime(2026, 4, 15)


def test_the_clock_of_the_system_cannot_be_set():
    with dolmen.Database() as db:
        assert abs(db.clock - datetime.datetime.now(datetime.timezone.utc)) < HOUR
        with pytest.raises(dolmen.Error, match="ValidationException"):
            db.clock = BEGIN


def test_expired_items_are_deleted_by_the_clock(db):
    enabled = {"AttributeName": "expires", "Enabled": True}
    db.execute("UpdateTimeToLive", {"TableName": "app", "TimeToLiveSpecification": enabled})
    put(db, "1", expires=int((BEGIN + HOUR).timestamp()))
    put(db, "2", expires=int((BEGIN + 3 * HOUR).timestamp()))
    assert db.expire() == 0
    db.advance(2 * HOUR)
    assert db.expire() == 1
    assert (get(db, "1"), get(db, "2")["SK"]) == (None, "2")


def test_wait_returns_when_indexes_are_built(db):
    for number in range(100):
        put(db, f"{number:02}", GSI1PK="a")
    index = {
        "IndexName": "GSI1",
        "KeySchema": [{"AttributeName": "GSI1PK", "KeyType": "HASH"}],
        "Projection": {"ProjectionType": "ALL"},
    }
    db.execute(
        "UpdateTable",
        {
            "TableName": "app",
            "AttributeDefinitions": [{"AttributeName": "GSI1PK", "AttributeType": "S"}],
            "GlobalSecondaryIndexUpdates": [{"Create": index}],
        },
    )
    db.wait()
    assert db.execute("Scan", {"TableName": "app", "IndexName": "GSI1"})["Count"] == 100


def test_a_simulation_lets_requests_fail():
    with dolmen.Database(simulate={}) as db:
        db.execute("CreateTable", TABLE)
        db.simulate({"Seed": 7, "Rules": [{"Fault": "Throttling", "CallsMax": 1}]})
        with pytest.raises(dolmen.Error, match="ThrottlingException"):
            put(db)
        put(db)
        trace = db.trace()
        assert trace == ["PutItem table=app key=a call=1 fault=Throttling"]
        db.simulate({"Replay": trace})
        with pytest.raises(dolmen.Error, match="ThrottlingException"):
            put(db)
        db.simulate()
        put(db)
        assert db.trace() == []
        with pytest.raises(dolmen.Error, match="NoSuchMember is unknown"):
            db.simulate({"NoSuchMember": 1})


def test_a_simulation_can_begin_with_the_database():
    with dolmen.Database(simulate={"Rules": [{"Fault": "InternalServerError"}]}) as db:
        db.execute("CreateTable", TABLE)
        with pytest.raises(dolmen.Error, match="InternalServerError"):
            put(db)


def test_a_database_without_a_simulation_cannot_begin_one(db):
    for call in (db.simulate, db.trace):
        with pytest.raises(dolmen.Error, match="ValidationException"):
            call()


def test_a_handler_gets_changes_with_plain_values(db):
    records = queue.Queue()
    with db.subscribe("app", "name", lambda batch: [records.put(record) for record in batch]):
        item = put(db, n=1)
        record = records.get(timeout=30)
    assert record["eventName"] == "INSERT"
    assert record["dynamodb"]["NewImage"] == item
    put(db, "2")
    with db.subscribe("app", "name", lambda batch: [records.put(record) for record in batch]):
        assert records.get(timeout=30)["dynamodb"]["Keys"]["SK"] == "2"
    assert records.empty()


@pytest.mark.parametrize("error", [RuntimeError, SystemExit, KeyboardInterrupt, pytest.fail.Exception])
def test_a_failed_handler_gets_the_records_again(db, caplog, error):
    batches = []
    succeeded = threading.Event()

    def handle(batch):
        batches.append(batch)
        if len(batches) == 1:
            raise error("not now")
        succeeded.set()

    with db.subscribe("app", "name", handle):
        put(db)
        assert succeeded.wait(30)
    assert batches[0] == batches[1]
    assert "not now" in caplog.text


def test_a_handler_cannot_end_its_subscription(db):
    results = queue.Queue()

    def handle(_batch):
        for close in (subscription.close, db.close):
            try:
                close()
                results.put("closed")
            except dolmen.Error as error:
                results.put(error.name)

    subscription = db.subscribe("app", "name", handle)
    put(db)
    assert [results.get(timeout=30) for _ in range(2)] == ["ValidationException"] * 2
    subscription.close()
    subscription.close()


def test_a_subscription_needs_a_stream(db):
    with pytest.raises(dolmen.Error, match="ResourceNotFoundException"):
        db.subscribe("nowhere", "name", print)
    with db.subscribe("app", "name", print), pytest.raises(dolmen.Error):
        db.subscribe("app", "name", print)


def test_eight_threads_use_one_database(db):
    def write(thread):
        for number in range(200):
            put(db, f"{thread} {number}")
            assert get(db, f"{thread} {number}")["SK"] == f"{thread} {number}"

    threads = [threading.Thread(target=write, args=(thread,)) for thread in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert db.execute("Scan", {"TableName": "app", "Select": "COUNT"})["Count"] == 1600


@pytest.mark.parametrize("way", ["execute", "client"])
def test_memory_does_not_grow_with_calls(db, way):
    calls = int(os.environ.get("DOLMEN_CALLS", "20000"))
    put(db, text="x" * 1000)
    table = db.resource().Table("app")

    def read():
        if way == "execute":
            return get(db)
        return table.get_item(Key=key())["Item"]

    def run(count):
        for _ in range(count):
            assert len(read()["text"]) == 1000
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    before = run(calls // 10)
    grown = run(calls) - before
    print(f"{calls} calls: resident memory grew by {grown} bytes")
    assert grown < 4_000_000
