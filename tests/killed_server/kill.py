#!/usr/bin/env python3
"""Kills `dolmen serve` repeatedly during writes and checks that acknowledged writes are durable.

Writers send puts, updates, deletes, batches and transactions over HTTP. Each writer has its own
partitions. After some hundred answers the server gets SIGKILL and is started on the same directory.
It must then hold every acknowledged write. A request without an answer must be visible as a whole
or not at all. In a batch write this holds for each item. The index must hold what the table holds.
"""

import argparse
import http.client
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench" / "http"))

# pylint: disable=wrong-import-position
import servers  # noqa: E402
from client import Client  # noqa: E402
from written import Write, Written, key_of  # noqa: E402

TABLE = "killed"
INDEX = "GSI1"
COUNTER = "counter"  # the sort key of the counter, after all other sort keys
WRITERS = 8
ANSWERS = (100, 600)  # the least and the most answers, to all writers together, before a kill


class Writer:
    """A writer that sends requests, one at a time, to its two partitions until the kill."""

    def __init__(self, number, seed):
        self.partitions = (f"first {number}", f"second {number}")
        self.random = random.Random(f"{seed} {number}")
        self.written = Written()
        self.requests = 0
        self.failure = None

    def write_until_killed(self, port, answered):
        client = Client(port)
        try:
            while True:
                write = self.next_write()
                self.written.begin(write)
                answer = client.ask(write.operation, write.request)
                if answer.get("UnprocessedItems"):
                    raise RuntimeError(f"not processed: {answer}")
                self.written.acknowledged()
                answered.release()
        except (ConnectionError, http.client.HTTPException):
            pass  # the server was killed
        except Exception as failure:  # pylint: disable=broad-except
            self.failure = failure
        finally:
            client.close()
            answered.release()

    def next_write(self):
        self.requests += 1
        kinds = (self.put, self.put, self.count, self.delete, self.batch, self.transaction)
        return self.random.choice(kinds)()

    def new_item(self, suffix=""):
        partition = self.random.choice(self.partitions)
        size = self.random.choice((10, 100, 1000, 10_000))
        texts = {
            "PK": partition,
            "SK": f"{self.requests:08}{suffix}",
            "text": self.random.choice("abc") * size,
        }
        if self.random.random() < 0.5:
            texts |= {"GSI1PK": partition, "GSI1SK": str(self.random.random())}
        return {name: {"S": text} for name, text in texts.items()}

    def keys_of_items(self):
        return [key for key in sorted(self.written.items) if key[1] != COUNTER]

    def put(self):
        """Returns a put. Its item is new or replaces an existing item."""
        item = self.new_item()
        keys = self.keys_of_items()
        if keys and self.random.random() < 0.3:
            item |= _key(self.random.choice(keys))
        return Write("PutItem", {"TableName": TABLE, "Item": item}, {key_of(item): item})

    def count(self):
        request, changes = self._counted()
        return Write("UpdateItem", request, changes)

    def _counted(self):
        key = (self.partitions[0], COUNTER)
        before = self.written.items.get(key, _key(key) | {"count": {"N": "0"}})
        after = before | {"count": {"N": str(int(before["count"]["N"]) + 1)}}
        request = {
            "TableName": TABLE,
            "Key": _key(key),
            "UpdateExpression": "ADD #count :one",
            "ExpressionAttributeNames": {"#count": "count"},
            "ExpressionAttributeValues": {":one": {"N": "1"}},
        }
        return request, {key: after}

    def delete(self):
        keys = self.keys_of_items()
        if not keys:
            return self.put()
        key = self.random.choice(keys)
        return Write("DeleteItem", {"TableName": TABLE, "Key": _key(key)}, {key: None})

    def batch(self):
        items = [self.new_item(f" {i}") for i in range(10)]
        puts = [{"PutRequest": {"Item": item}} for item in items]
        changes = {key_of(item): item for item in items}
        request = {"RequestItems": {TABLE: puts}}
        return Write("BatchWriteItem", request, changes, is_atomic=False)

    def transaction(self):
        """Returns a transaction that puts four items and adds 1 to a counter."""
        items = [self.new_item(f" {i}") for i in range(4)]
        counted, changes = self._counted()
        actions = [
            {
                "Put": {
                    "TableName": TABLE,
                    "Item": item,
                    "ConditionExpression": "attribute_not_exists(PK)",
                }
            }
            for item in items
        ]
        changes |= {key_of(item): item for item in items}
        request = {"TransactItems": [*actions, {"Update": counted}]}
        return Write("TransactWriteItems", request, changes)


def _key(key):
    return {"PK": {"S": key[0]}, "SK": {"S": key[1]}}


def create_table(client):
    names = ("PK", "SK", "GSI1PK", "GSI1SK")
    keys = [
        [
            {"AttributeName": first, "KeyType": "HASH"},
            {"AttributeName": second, "KeyType": "RANGE"},
        ]
        for first, second in (names[:2], names[2:])
    ]
    index = {"IndexName": INDEX, "KeySchema": keys[1], "Projection": {"ProjectionType": "ALL"}}
    client.ask(
        "CreateTable",
        {
            "TableName": TABLE,
            "AttributeDefinitions": [
                {"AttributeName": name, "AttributeType": "S"} for name in names
            ],
            "KeySchema": keys[0],
            "GlobalSecondaryIndexes": [index],
            "BillingMode": "PAY_PER_REQUEST",
        },
    )


def read(client, partition, index=None):
    """Returns {key: item} for a partition of the table, or of the index."""
    request = {
        "TableName": TABLE,
        "KeyConditionExpression": f"{'GSI1PK' if index else 'PK'} = :partition",
        "ExpressionAttributeValues": {":partition": {"S": partition}},
    }
    if index:
        request["IndexName"] = index
    else:
        request["ConsistentRead"] = True
    found = {}
    while True:
        page = client.ask("Query", request)
        found |= {key_of(item): item for item in page["Items"]}
        if "LastEvaluatedKey" not in page:
            return found
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def check(client, writers):
    """Returns a line for each wrong item. Later checks expect the items that are stored now."""
    faults = []
    for writer in writers:
        found, indexed = {}, {}
        for partition in writer.partitions:
            found |= read(client, partition)
            indexed |= read(client, partition, INDEX)
        faults += [f"table {fault}" for fault in writer.written.faults(found)]
        writer.written.settle(found)
        entries = Written()
        entries.settle({key: item for key, item in found.items() if "GSI1PK" in item})
        faults += [f"index {fault}" for fault in entries.faults(indexed)]
    return faults


def write_and_kill(server, writers, answers):
    """Lets the writers write until `answers` requests are answered, and kills the server."""
    answered = threading.Semaphore(0)
    threads = [
        threading.Thread(target=writer.write_until_killed, args=(server.port, answered))
        for writer in writers
    ]
    for thread in threads:
        thread.start()
    for _ in range(answers):
        if not answered.acquire(timeout=60):  # pylint: disable=consider-using-with
            break  # no answer for a minute: all writers have ended
    ended_by_itself = server.process.poll() is not None
    server.kill()
    for thread in threads:
        thread.join()
    for writer in writers:
        if writer.failure is not None:
            raise writer.failure
    if ended_by_itself:
        sys.exit(f"the server ended before it was killed: {server.output()}")


def run(arguments, peer, chance):
    writers = [Writer(number, arguments.seed) for number in range(WRITERS)]
    with peer.start(arguments.port) as server:
        server.wait_until_it_answers()
        create_table(Client(server.port))
        write_and_kill(server, writers, chance.randint(*ANSWERS))
    for round_number in range(1, arguments.rounds + 1):
        if chance.random() < 0.3:
            peer.start(arguments.port).kill()  # kills a server while it opens the database
        with peer.start(arguments.port) as server:
            server.wait_until_it_answers()
            in_doubt = sum(writer.written.under_way is not None for writer in writers)
            faults = check(Client(server.port), writers)
            items = sum(len(writer.written.items) for writer in writers)
            print(f"kill {round_number}: {items} items, {in_doubt} requests without an answer")
            if faults:
                sys.exit("\n".join(["lost, duplicated or partial writes:", *faults]))
            if round_number < arguments.rounds:
                write_and_kill(server, writers, chance.randint(*ANSWERS))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="dolmen")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--durability", choices=("sync", "buffered"), default="sync")
    parser.add_argument("--port", type=int, default=0, help="0: any free port")
    parser.add_argument("--seed", default=os.environ.get("DOLMEN_SEED") or random.randrange(10**9))
    arguments = parser.parse_args()
    print(f"{arguments.durability}, --seed={arguments.seed}", flush=True)
    chance = random.Random(f"{arguments.seed}")
    with tempfile.TemporaryDirectory() as directory:
        data = pathlib.Path(directory) / "data"
        peer = servers.dolmen_on_disk(arguments.program, data, arguments.durability)
        run(arguments, peer, chance)
        verified = subprocess.run([arguments.program, "verify", "--path", data], check=False)
    sys.exit(verified.returncode)


if __name__ == "__main__":
    main()
