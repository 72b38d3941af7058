#!/usr/bin/env python3
"""Sends large bodies from 64 clients and checks memory, and how long other clients wait."""

import argparse
import asyncio
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
# The milliseconds that another client may wait for GetItem, in addition to its longest wait in the control.
WAIT_MAX = 50
CONTROL_ROUNDS = 3
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
    nested = '{"M":{"a":' * 28 + '{"S":"x"}' + "}}" * 28 + ","
    put = '{"RequestItems":{"app":[{"PutRequest":' + item.replace('{"TableName":"app",', "{")
    return {
        "spaces": ("ListTables", filled("{", " ", "}")),
        "one string": ("PutItem", filled(item + '"x":{"S":"', "x", '"}}}')),
        "small values": ("PutItem", filled(item + '"x":{"L":[', '{"N":"1"},', '{"N":"1"}]}}}')),
        "members": ("PutItem", filled(item + members, " ", "}}")),
        "numbers": ("PutItem", filled(item + '"x":{"L":[', "1,", "1]}}}")),
        "nested values": ("BatchWriteItem", filled(put + '"x":{"L":[', nested, '{"N":"1"}]}}}}]}}')),
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


async def discard(reader, writer):
    """Receives a request, discards its body and refuses it: the least work that a server can have with it."""
    head = await reader.readuntil(b"\r\n\r\n")
    name = b"Content-Length: "
    left = next(int(line[len(name) :]) for line in head.split(b"\r\n") if line.startswith(name))
    while left > 0:
        left -= len(await reader.read(1 << 16))
    writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
    await writer.drain()
    writer.close()


async def discard_all(listener):
    server = await asyncio.start_server(discard, sock=listener)
    await server.serve_forever()


class Sink:
    """A process that receives the bodies in place of Dolmen."""

    def __enter__(self):
        with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener:
            self.port = listener.getsockname()[1]
            self.process = multiprocessing.Process(target=lambda: asyncio.run(discard_all(listener)))
            self.process.start()
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.join()


def peak_bytes(server):
    status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


def send_from_all(clients, port, request):
    """Sends the request from all clients at the same time. Returns the statuses."""
    statuses = []
    senders = [threading.Thread(target=lambda: statuses.append(status_of(port, request))) for _ in range(clients)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    return statuses


def run(arguments, send):
    """Starts a server, and calls `send` with its port while the readers wait. Returns the figures."""
    command = (arguments.program, "serve", "--memory", "--port", "0", "--threads", "2")
    with servers.Server(command, 0) as server:
        server.wait_until_it_answers()
        client = Client(server.port)
        client.ask("CreateTable", TABLE)
        client.close()
        begin = time.monotonic()
        with Readers(server.port) as readers:
            statuses = send(server.port)
        waits = sorted(seconds * 1000 for seconds in readers.seconds)
        return {
            "seconds": round(time.monotonic() - begin, 1),
            "peak_megabytes": round(peak_bytes(server) / servers.MEGABYTE),
            "wait_median_ms": round(statistics.median(waits), 1),
            "wait_99_percent_ms": round(waits[len(waits) * 99 // 100], 1),
            "wait_max_ms": round(waits[-1], 1),
            "executed": sum(status in (200, 400) for status in statuses),
            "refused": statuses.count(503),
        }


def control(arguments):
    """Returns the figures of a server that is idle but for GetItem, while another process receives the bodies."""
    operation, body = bodies()["spaces"]
    request = request_of(operation, body, "identity")

    def send(_):
        with Sink() as sink:
            rounds = range(CONTROL_ROUNDS)
            return [status for _ in rounds for status in send_from_all(arguments.clients, sink.port, request)]

    return run(arguments, send)


def measure(arguments):
    document = {"context": {"clients": arguments.clients}, "control": control(arguments), "rows": []}
    print("control", document["control"], flush=True)
    for kind, (operation, body) in bodies().items():
        for coding in ("identity", "gzip"):
            request = request_of(operation, body, coding)
            figures = run(arguments, lambda port: send_from_all(arguments.clients, port, request))
            document["rows"].append({"kind": kind, "coding": coding} | figures)
            print(document["rows"][-1], flush=True)
    return document


def failures(document):
    """Returns a line for each check that failed."""
    found = []
    wait_max_ms = document["control"]["wait_max_ms"] + WAIT_MAX
    for row in document["rows"]:
        name = f"{row['kind']}, {row['coding']}"
        if row["peak_megabytes"] * servers.MEGABYTE > MEMORY_MAX:
            found.append(f"{name}: the server took {row['peak_megabytes']} MB")
        if row["wait_max_ms"] > wait_max_ms:
            found.append(f"{name}: a GetItem took {row['wait_max_ms']} ms of {wait_max_ms}")
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
