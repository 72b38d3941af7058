#!/usr/bin/env python3
"""Measures the time until a test has a table with known items of its own.

Dolmen forks a fixture for each access key. dynoxide deletes the table, creates it and writes its
items again.
"""

import argparse
import json
import pathlib
import statistics
import sys
import tempfile
import time

import servers
from client import Client, Refused

TABLE = {
    "TableName": "orders",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [
        {"AttributeName": "PK", "AttributeType": "S"},
        {"AttributeName": "SK", "AttributeType": "S"},
    ],
    "KeySchema": [
        {"AttributeName": "PK", "KeyType": "HASH"},
        {"AttributeName": "SK", "KeyType": "RANGE"},
    ],
}
BATCH = 25  # items of a BatchWriteItem


def items(count):
    return [
        {
            "PK": {"S": f"CUSTOMER#{i // 10:06}"},
            "SK": {"S": f"ORDER#{i:08}"},
            "note": {"S": 200 * "x"},
        }
        for i in range(count)
    ]


def delete(client, item):
    """Deletes an item that must exist: a test sees no change of another test."""
    request = {
        "TableName": "orders",
        "Key": {name: item[name] for name in ("PK", "SK")},
        "ReturnValues": "ALL_OLD",
    }
    if client.ask("DeleteItem", request).get("Attributes") != item:
        raise RuntimeError(f"the item is missing: {item}")


def fork(port, test, all_items):
    client = Client(port, access_key=f"test{test}")
    delete(client, all_items[-1])
    client.close()


def create_again(port, _, all_items):
    client = Client(port)
    try:
        client.ask("DeleteTable", {"TableName": "orders"})
    except Refused:
        pass  # the first test has no table to delete
    client.ask("CreateTable", TABLE)
    for begin in range(0, len(all_items), BATCH):
        puts = [{"PutRequest": {"Item": item}} for item in all_items[begin : begin + BATCH]]
        client.ask("BatchWriteItem", {"RequestItems": {"orders": puts}})
    delete(client, all_items[-1])
    client.close()


def measured(server, prepare, all_items, tests):
    """Returns the median of the milliseconds of a test, without the first test."""
    with server as running:
        running.wait_until_it_answers()
        times = []
        for test in range(tests + 1):
            begin = time.perf_counter()
            prepare(running.port, test, all_items)
            times.append(1000 * (time.perf_counter() - begin))
    return statistics.median(times[1:])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="the program dolmen")
    parser.add_argument("--peers", required=True, help="the directory of install_peers.sh")
    parser.add_argument("--tests", type=int, default=20)
    parser.add_argument("--port", type=int, default=18700)
    options = parser.parse_args()
    dynoxide = servers.dynoxide(options.peers)
    print("| items | dolmen, ms | dynoxide, ms |\n|---|---|---|", flush=True)
    for count in (100, 1000, 10000):
        all_items = items(count)
        with tempfile.TemporaryDirectory() as directory:
            seed = pathlib.Path(directory) / "seed.json"
            seed.write_text(
                json.dumps({"Tables": [TABLE | {"Items": all_items}]}), encoding="utf-8"
            )
            command = (options.program, "serve", "--memory", "--port", "{port}")
            command += ("--fixture", str(seed), "--database-per-access-key")
            dolmen = servers.Peer("dolmen", command, ())
            forked = measured(dolmen.start(options.port), fork, all_items, options.tests)
        tests = max(3, options.tests * 100 // count)
        created = measured(dynoxide.start(options.port), create_again, all_items, tests)
        print(f"| {count:,} | {forked:,.1f} | {created:,.1f} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
