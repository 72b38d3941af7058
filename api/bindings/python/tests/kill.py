#!/usr/bin/env python3
"""Kills a Python program repeatedly while it writes, and checks that no acknowledged write is lost.

The program has eight threads. Each writes its items in order: alone, in a transaction with a
counter, or in a batch. It reports each write after its acknowledgement. After some hundred reports
it gets SIGKILL. The database must then hold exactly the reported writes of each thread, and at most
one more: as a whole, or in a batch also in part.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading

import dolmen

THREADS = 8
BATCH = 10
REPORTS = (100, 600)  # the least and the most reports before a kill
TABLE = {
    "TableName": "killed",
    "KeySchema": [
        {"AttributeName": "PK", "KeyType": "HASH"},
        {"AttributeName": "SK", "KeyType": "RANGE"},
    ],
    "AttributeDefinitions": [
        {"AttributeName": "PK", "AttributeType": "S"},
        {"AttributeName": "SK", "AttributeType": "S"},
    ],
    "BillingMode": "PAY_PER_REQUEST",
}


def items_of(thread, number):
    """Returns the items of a write. The number of the write decides its kind."""
    count = BATCH if number % 4 == 0 else 1
    return [
        {"PK": f"{thread}", "SK": f"{number:08} {i:02}", "text": f"{number}" * 50}
        for i in range(count)
    ]


def has_counter(number):
    return number % 4 == 1


def write(database, thread, number):
    items = items_of(thread, number)
    if has_counter(number):
        counter = {
            "TableName": "killed",
            "Key": {"PK": f"counter {thread}", "SK": "counter"},
            "UpdateExpression": "ADD writes :one",
            "ExpressionAttributeValues": {":one": 1},
        }
        put = {"TableName": "killed", "Item": items[0]}
        database.execute(
            "TransactWriteItems", {"TransactItems": [{"Put": put}, {"Update": counter}]}
        )
    elif len(items) > 1:
        puts = [{"PutRequest": {"Item": item}} for item in items]
        answer = database.execute("BatchWriteItem", {"RequestItems": {"killed": puts}})
        assert not answer["UnprocessedItems"]
    else:
        database.execute("PutItem", {"TableName": "killed", "Item": items[0]})


def write_until_killed(directory, durability, done):
    """Writes in eight threads without end. `done` has the number of writes of each thread."""
    database = dolmen.Database(directory, durability=durability)

    def run(thread):
        number = done[thread]
        while True:
            number += 1
            write(database, thread, number)
            os.write(1, f"{thread} {number}\n".encode())

    for thread in range(THREADS):
        threading.Thread(target=run, args=(thread,)).start()


def acknowledged_writes(directory, durability, done, reports):
    """Runs the program and kills it. Returns the number of acknowledged writes of each thread."""
    command = [sys.executable, "-B", __file__, "--write", directory, "--durability", durability]
    acknowledged = list(done)
    with subprocess.Popen([*command, *map(str, done)], stdout=subprocess.PIPE) as program:
        for line in program.stdout:
            reports -= 1
            if reports == 0:
                program.kill()
            if line.endswith(b"\n"):
                thread, number = map(int, line.split())
                assert number == acknowledged[thread] + 1, line
                acknowledged[thread] = number
        program.wait()
    if program.returncode != -signal.SIGKILL:
        sys.exit(f"the program ended with {program.returncode} before it was killed")
    return acknowledged


def read(database, partition):
    """Returns all items of a partition."""
    request = {
        "TableName": "killed",
        "KeyConditionExpression": "PK = :pk",
        "ExpressionAttributeValues": {":pk": partition},
    }
    items = []
    while True:
        page = database.execute("Query", request)
        items += page["Items"]
        if "LastEvaluatedKey" not in page:
            return items
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def check(database, thread, acknowledged):
    """Returns the number of writes that the database holds, or raises AssertionError."""
    found = read(database, f"{thread}")
    expected = [item for n in range(1, acknowledged + 1) for item in items_of(thread, n)]
    assert found[: len(expected)] == expected, f"thread {thread}: an acknowledged write is lost"
    next_items = items_of(thread, acknowledged + 1)
    more = found[len(expected) :]
    assert all(item in next_items for item in more), f"thread {thread}: {more} were never written"
    writes = acknowledged + (1 if more else 0)
    counted = sum(has_counter(number) for number in range(1, writes + 1))
    counters = read(database, f"counter {thread}")
    assert (counters[0]["writes"] if counters else 0) == counted, f"thread {thread}: {counters}"
    # A batch that is stored in part is written again as a whole.
    return acknowledged if len(more) < len(next_items) else writes


def run_rounds(arguments):
    print(f"{arguments.durability}, --seed={arguments.seed}", flush=True)
    chance = random.Random(f"{arguments.seed}")
    with tempfile.TemporaryDirectory() as directory:
        with dolmen.Database(directory) as database:
            database.execute("CreateTable", TABLE)
        done = [0] * THREADS
        for number in range(1, arguments.rounds + 1):
            reports = chance.randint(*REPORTS)
            done = acknowledged_writes(directory, arguments.durability, done, reports)
            with dolmen.Database(directory) as database:
                done = [check(database, thread, done[thread]) for thread in range(THREADS)]
            print(f"kill {number}: {sum(done)} writes, nothing lost", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--durability", choices=("sync", "buffered"), default="sync")
    parser.add_argument("--seed", default=os.environ.get("DOLMEN_SEED") or random.randrange(10**9))
    parser.add_argument("--write", help=argparse.SUPPRESS)
    parser.add_argument("done", nargs="*", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.write:
        write_until_killed(arguments.write, arguments.durability, arguments.done)
    else:
        run_rounds(arguments)


if __name__ == "__main__":
    main()
