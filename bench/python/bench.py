#!/usr/bin/env python3
"""Times GetItem and Query of the newest 50 messages in Python, by each way to a database.

  bench.py build/release/api/command/dolmen [--peer NAME=URL] [--out bench/results]

All ways read the same items, those of bench/http, in memory, with one thread:
- execute: Database.execute, with plain Python values
- direct, before-call, before-send: boto3 in process, by each way of Database.client
- http: boto3 and `dolmen serve`
- moto: boto3 and moto, if it is installed
- NAME of --peer: boto3 and a running server that has no tables
- sqlite3: Python's module, with one column per attribute
"""

import argparse
import contextlib
import os
import pathlib
import sqlite3
import sys
import time

import boto3
import dolmen

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "http"))

# pylint: disable=wrong-import-position
import servers  # noqa: E402
from chat_data import READS, Chat  # noqa: E402

WORKLOADS = ("get_item", "query_newest_50")
CREDENTIALS = {
    "region_name": "us-east-1",
    "aws_access_key_id": "dolmen",
    "aws_secret_access_key": "secret",
}
COLUMNS = (
    *("PK", "SK", "body", "conversationId", "createdAt", "messageId", "senderId", "type"),
    "edited",
)
# The least number of calls of direct for one call of another way, by GetItem.
GOALS = {"http": 10, "moto": 50}


class Boto3:
    """Reads by a boto3 client."""

    def __init__(self, client):
        self.methods = {"GetItem": client.get_item, "Query": client.query}
        self.client = client

    def load(self, chat):
        self.client.create_table(**chat.create_table()[1])
        for _, batch in chat.load():
            assert not self.client.batch_write_item(**batch)["UnprocessedItems"]

    def read(self, operation, request):
        return self.methods[operation](**request)

    @staticmethod
    def items(answer):
        return answer["Items"] if "Items" in answer else [answer["Item"]]


class Execute:
    """Reads by Database.execute."""

    def __init__(self, database):
        self.database = database

    def load(self, chat):
        Boto3(self.database.client()).load(chat)

    def prepare(self, request):
        """Returns the request with plain values."""
        return {
            name: plain(value) if name in ("Key", "ExpressionAttributeValues") else value
            for name, value in request.items()
        }

    def read(self, operation, request):
        return self.database.execute(operation, request)

    @staticmethod
    def items(answer):
        found = answer["Items"] if "Items" in answer else [answer["Item"]]
        return [typed(item) for item in found]


class Sqlite:
    """Reads by Python's module sqlite3."""

    def __init__(self):
        self.connection = sqlite3.connect(":memory:")

    def load(self, chat):
        self.connection.execute(
            f"CREATE TABLE chat ({', '.join(COLUMNS)}, PRIMARY KEY (PK, SK)) WITHOUT ROWID"
        )
        rows = [[plain(chat.message(i))[name] for name in COLUMNS] for i in range(chat.messages)]
        marks = ", ".join("?" * len(COLUMNS))
        self.connection.executemany(f"INSERT INTO chat VALUES ({marks})", rows)

    def prepare(self, request):
        """Returns the parameters of the statement."""
        if "Key" in request:
            return tuple(plain(request["Key"]).values())
        values = plain(request["ExpressionAttributeValues"])
        return values[":pk"], values[":prefix"], values[":prefix"] + "\U0010ffff"

    def read(self, operation, parameters):
        statement = (
            "SELECT * FROM chat WHERE PK = ? AND SK = ?"
            if operation == "GetItem"
            else "SELECT * FROM chat WHERE PK = ? AND SK BETWEEN ? AND ? ORDER BY SK DESC LIMIT 50"
        )
        rows = self.connection.execute(statement, parameters).fetchall()
        return [dict(zip(COLUMNS, row)) for row in rows]

    @staticmethod
    def items(answer):
        return [typed({**row, "edited": bool(row["edited"])}) for row in answer]


def plain(item):
    return {name: next(iter(value.values())) for name, value in item.items()}


def typed(item):
    """Returns the item in DynamoDB's JSON. The items of the bench have only texts and booleans."""
    return {
        name: {"BOOL": value} if isinstance(value, bool) else {"S": value}
        for name, value in item.items()
    }


def contenders(arguments, stack):
    """Returns the contenders by their names. The stack stops their servers."""

    def database():
        return stack.enter_context(dolmen.Database())

    def over_http(peer):
        server = stack.enter_context(peer.start(arguments.port))
        server.wait_until_it_answers()
        url = f"http://{server.host}:{server.port}"
        return Boto3(boto3.client("dynamodb", endpoint_url=url, **CREDENTIALS))

    found = {"execute": Execute(database())}
    for way in ("direct", "before-call", "before-send"):
        found[way] = Boto3(database().client(way=way))
    found["http"] = over_http(servers.dolmen_in_memory(arguments.program))
    if arguments.peer:
        name, url = arguments.peer
        found[name] = over_http(servers.Endpoint(name, url))
    with contextlib.suppress(ImportError):
        import moto  # pylint: disable=import-outside-toplevel

        stack.enter_context(moto.mock_aws())
        found["moto"] = Boto3(boto3.client("dynamodb", **CREDENTIALS))
    found["sqlite3"] = Sqlite()
    return found


def requests_of(chat, contender, workload):
    """Returns 100 requests in the form of the contender, and the items that they must find."""
    prepare = getattr(contender, "prepare", lambda request: request)
    for i in range(100):
        operation, request = READS[workload].request(chat, i)
        yield operation, prepare(request), READS[workload].items(chat, i)


def microseconds(contender, requests, seconds):
    """Returns the mean time of a call, over at least `seconds`."""
    calls, begin = 0, time.perf_counter()
    while True:
        for operation, request in requests:
            contender.read(operation, request)
        calls += len(requests)
        passed = time.perf_counter() - begin
        if passed > seconds:
            return passed / calls * 1e6


def measure(arguments, chat, found):
    """Returns {workload: {contender: microseconds of a call in the fastest round}}."""
    fastest = {}
    for workload in WORKLOADS:
        prepared = {}
        for name, contender in found.items():
            requests = list(requests_of(chat, contender, workload))
            for operation, request, expected in requests:
                assert contender.items(contender.read(operation, request)) == expected, name
            prepared[name] = [(operation, request) for operation, request, _ in requests]
        times = {name: [] for name in found}
        for _ in range(arguments.rounds):
            for name, contender in found.items():
                times[name].append(microseconds(contender, prepared[name], arguments.seconds))
        fastest[workload] = {name: min(rounds) for name, rounds in times.items()}
    return fastest


def table(fastest):
    """Returns a Markdown table: microseconds of a call, and its ratio to those of direct."""
    lines = ["| us a call (ratio to direct) | " + " | ".join(WORKLOADS) + " |", "|---|---|---|"]
    for name in fastest[WORKLOADS[0]]:
        cells = [
            f"{times[name]:.1f} ({times[name] / times['direct']:.2f} x)"
            for times in fastest.values()
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    for name, goal in GOALS.items():
        for workload, times in fastest.items():
            if name in times:
                ratio = times[name] / times["direct"]
                verdict = "holds" if ratio >= goal else "fails"
                lines += ["", f"- {workload}: {name} >= {goal} x direct: {ratio:.1f} x, {verdict}"]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", help="dolmen, built for release")
    parser.add_argument("--peer", metavar="NAME=URL", type=servers.named_url)
    parser.add_argument("--out", type=pathlib.Path, help="directory for python.md")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.3, help="of one way in one round")
    parser.add_argument("--conversations", type=int, default=20)
    parser.add_argument("--messages", type=int, default=200, help="messages per conversation")
    parser.add_argument("--port", type=int, default=18420, help="the port of dolmen")
    arguments = parser.parse_args()
    # botocore must not look for the configuration of the machine.
    os.environ |= {"AWS_EC2_METADATA_DISABLED": "true", "AWS_CONFIG_FILE": os.devnull}
    chat = Chat(arguments.conversations, arguments.messages)
    with contextlib.ExitStack() as stack:
        found = contenders(arguments, stack)
        for contender in found.values():
            contender.load(chat)
        fastest = measure(arguments, chat, found)
    text = "\n".join(
        [
            "# Reads in Python",
            "",
            f"Python {sys.version.split()[0]}, boto3 {boto3.__version__}, dolmen"
            f" {dolmen.version()}; {chat.messages} messages; fastest of {arguments.rounds} rounds.",
            "",
            table(fastest),
        ]
    )
    print(text)
    if arguments.out:
        (arguments.out / "python.md").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
