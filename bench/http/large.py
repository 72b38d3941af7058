#!/usr/bin/env python3
"""Sends large bodies from 64 clients and checks memory, and how long other clients wait."""

import argparse
import gzip
import multiprocessing
import pathlib
import select
import socket
import statistics
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "report"))

# pylint: disable=wrong-import-position
import results  # noqa: E402
import servers  # noqa: E402
from client import HEADERS, Client  # noqa: E402

BODY_BYTES = 16 * servers.MEGABYTE  # the largest body that the server accepts
MEMORY_MAX = (256 + 64) * servers.MEGABYTE  # the shared memory of large requests, and the rest
WAIT_MAX = 1.0  # seconds that another client may wait for GetItem
READERS = 4
TABLE = {
    "TableName": "app",
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}


def filled(start, part, end):
    """Returns a body of BODY_BYTES: `start`, `part` as often as it fits, `end` and spaces."""
    count = (BODY_BYTES - len(start) - len(end)) // len(part)
    body = start + part * count + end
    return (body + " " * (BODY_BYTES - len(body))).encode()


def bodies():
    """Returns the operation and the body of each kind. Each kind needs memory elsewhere."""
    members = ",".join(f'"{number}":{{"N":"1"}}' for number in range(800_000))
    item = '{"TableName":"app","Item":{"id":{"S":"a"},'
    return {
        "spaces": ("ListTables", filled("{", " ", "}")),
        "one string": ("PutItem", filled(item + '"x":{"S":"', "x", '"}}}')),
        "small values": ("PutItem", filled(item + '"x":{"L":[', '{"N":"1"},', '{"N":"1"}]}}}')),
        "members": ("PutItem", filled(item + members, " ", "}}")),
        "numbers": ("PutItem", filled(item + '"x":{"L":[', "1,", "1]}}}")),
    }


def request_of(operation, body, coding):
    fields = {"Host": "localhost", "X-Amz-Target": f"DynamoDB_20120810.{operation}"} | HEADERS
    if coding == "gzip":
        body = gzip.compress(body, 1)
        fields["Content-Encoding"] = "gzip"
    fields["Content-Length"] = str(len(body))
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"POST / HTTP/1.1\r\n{lines}\r\n".encode() + body


def status_of(port, request):
    """Sends a request and returns the status. Stops to send if the server answers early."""
    with socket.create_connection(("127.0.0.1", port), timeout=600) as connection:
        rest = memoryview(request)
        while rest:
            readable, _, _ = select.select([connection], [connection], [])
            if readable:
                break
            rest = rest[connection.send(rest[: 1 << 18]) :]
        return int(connection.recv(1 << 16).split()[1])


def read_until(port, ended, waits):
    """Sends GetItem over new connections until `ended`, and puts the times that they took into `waits`."""
    seconds = []
    while not ended.wait(0.01):
        client = Client(port)
        begin = time.monotonic()
        client.ask("GetItem", {"TableName": "app", "Key": {"id": {"S": "a"}}})
        seconds.append(time.monotonic() - begin)
        client.close()
    waits.put(seconds)


class Readers:
    """Clients that measure how long they wait: processes, which do not wait for the threads that send."""

    def __init__(self, port):
        self.seconds = []
        self.ended = multiprocessing.Event()
        self.waits = multiprocessing.Queue()
        self.processes = [
            multiprocessing.Process(target=read_until, args=(port, self.ended, self.waits))
            for _ in range(READERS)
        ]

    def __enter__(self):
        for process in self.processes:
            process.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        for _ in self.processes:
            self.seconds += self.waits.get()
        for process in self.processes:
            process.join()


def peak_bytes(server):
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


def run(arguments, kind, coding, operation, body):
    """Sends the body from all clients at the same time to a new server. Returns the figures."""
    request = request_of(operation, body, coding)
    command = (arguments.program, "serve", "--memory", "--port", "0", "--threads", "2")
    with servers.Server(command, 0) as server:
        server.wait_until_it_answers()
        client = Client(server.port)
        client.ask("CreateTable", TABLE)
        client.close()
        statuses = []
        senders = [
            threading.Thread(target=lambda: statuses.append(status_of(server.port, request)))
            for _ in range(arguments.clients)
        ]
        begin = time.monotonic()
        with Readers(server.port) as readers:
            for sender in senders:
                sender.start()
            for sender in senders:
                sender.join()
        return {
            "kind": kind,
            "coding": coding,
            "seconds": round(time.monotonic() - begin, 1),
            "peak_megabytes": round(peak_bytes(server) / servers.MEGABYTE),
            "wait_median_ms": round(statistics.median(readers.seconds) * 1000, 1),
            "wait_max_ms": round(max(readers.seconds) * 1000, 1),
            "executed": sum(status in (200, 400) for status in statuses),
            "refused": statuses.count(503),
        }


def measure(arguments):
    rows = []
    for kind, (operation, body) in bodies().items():
        for coding in ("identity", "gzip"):
            rows.append(run(arguments, kind, coding, operation, body))
            print(rows[-1], flush=True)
    return {"context": {"clients": arguments.clients}, "rows": rows}


def failures(document):
    """Returns a line for each check that failed."""
    found = []
    for row in document["rows"]:
        name = f"{row['kind']}, {row['coding']}"
        if row["peak_megabytes"] * servers.MEGABYTE > MEMORY_MAX:
            found.append(f"{name}: the server took {row['peak_megabytes']} MB")
        if row["wait_max_ms"] > WAIT_MAX * 1000:
            found.append(f"{name}: a GetItem took {row['wait_max_ms']} ms")
        if row["executed"] + row["refused"] != document["context"]["clients"]:
            found.append(f"{name}: some clients got neither a result nor 503")
        if row["executed"] == 0:
            found.append(f"{name}: the server refused all requests")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="dolmen, built for release, or a recorded run (JSON)")
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="directory for the results")
    arguments = parser.parse_args()
    document = results.measured_or_recorded(arguments, measure, "large.json")
    found = failures(document)
    print("\n".join(found) or "memory and waiting times stayed within their limits")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
