#!/usr/bin/env python3
"""Prints the cost of each byte of the requests that are the most expensive to parse: the time of the server's
processor, and for large bodies how long a GetItem of another client waits meanwhile."""

import argparse
import gzip
import itertools
import pathlib
import socket
import struct
import sys
import threading
import time
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "report"))

# pylint: disable=wrong-import-position
import large  # noqa: E402
import results  # noqa: E402
import servers  # noqa: E402
from client import HEADERS, Client  # noqa: E402

BODY_BYTES = 16 * servers.MEGABYTE  # the largest body that the server accepts
# The requests of a kind of small requests have together about so many bytes.
SMALL_BYTES = servers.MEGABYTE
TABLE = {
    "TableName": "app",
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}
ITEM = '{"TableName":"app","Item":{"id":{"S":"a"},'
KEY = '{"TableName":"app","Key":{"id":{"S":"a"}},'
# The largest number of microseconds for each byte: of a large body; of a small request, whose execution counts too.
# The limits are several times what a processor of 2020 needs, for slow machines.
LARGE_MAX = 0.2
SMALL_MAX = 0.5
WAIT_MAX = 50  # milliseconds that a GetItem of another client may take
WAIT_SECONDS = 1.0  # for which a client sends a large body again and again


class Bits:
    """A writer of the bits of the deflate format."""

    def __init__(self):
        self.bits = []

    def put(self, value, count):
        self.bits += ((value >> i) & 1 for i in range(count))

    def bytes(self):
        padded = self.bits + [0] * (-len(self.bits) % 8)
        return bytes(
            sum(bit << i for i, bit in enumerate(padded[at : at + 8])) for at in range(0, len(padded), 8)
        )


def empty_dynamic_block(bits, last):
    """Writes a block without content that has tables of its own: the most work for the fewest bytes."""
    bits.put(last, 1)
    bits.put(2, 2)
    bits.put(0, 5)
    bits.put(0, 5)
    bits.put(14, 4)
    for symbol in (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1):
        bits.put(1 if symbol in (18, 1) else 0, 3)
    for zeros in (138, 118):
        bits.put(1, 1)
        bits.put(zeros - 11, 7)
    bits.put(0, 3)


def empty_blocks():
    """Returns a body of gzip whose blocks alternate between own and fixed tables, which evicts both."""
    pattern = Bits()
    while not pattern.bits or len(pattern.bits) % 8:
        empty_dynamic_block(pattern, 0)
        pattern.put(0, 1)
        pattern.put(1, 2)
        pattern.put(0, 7)
    end = Bits()
    empty_dynamic_block(end, 1)
    part = pattern.bytes()
    head = b"\x1f\x8b\x08\0\0\0\0\0\0\x03"
    return head + part * ((BODY_BYTES - 100) // len(part)) + end.bytes() + struct.pack("<II", 0, 0)


def request_of(operation, body, fields=None):
    body = body.encode() if isinstance(body, str) else body
    fields = (
        {"Host": "127.0.0.1", "X-Amz-Target": f"DynamoDB_20120810.{operation}"}
        | HEADERS
        | {"Content-Length": str(len(body))}
        | (fields or {})
    )
    if "Transfer-Encoding" in fields:
        del fields["Content-Length"]
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"POST / HTTP/1.1\r\n{lines}\r\n".encode() + body


def filled(start, part, end, size=BODY_BYTES):
    """Returns a body of `size` bytes: `start`, `part` as often as it fits, `end` and spaces."""
    body = start + part * ((size - len(start) - len(end)) // len(part)) + end
    return body + " " * (size - len(body))


def listed(start, parts, end, size=BODY_BYTES):
    """Returns a body with as many of the different parts as fit, with commas between them."""
    chosen = []
    left = size - len(start) - len(end)
    for part in parts:
        left -= len(part) + 1
        if left < 0:
            break
        chosen.append(part)
    return start + ",".join(chosen) + end


def chunked(body, bytes_of_chunk):
    parts = (body[at : at + bytes_of_chunk] for at in range(0, len(body), bytes_of_chunk))
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def nested(opening, inner, closing, count):
    return opening * count + inner + closing * count


def large_bodies():
    """Returns for each kind its operation, its body and further header lines."""
    gzipped = {"Content-Encoding": "gzip"}
    deflated = {"Content-Encoding": "deflate"}
    member = gzip.compress(b"", 9, mtime=0)
    numbers = range(10_000_000)
    hexadecimal = "".join(f"{number * 2654435761 % 2**32:08x}" for number in range(1_000_000))
    return {
        "gzip: empty members": ("ListTables", member * (BODY_BYTES // len(member)), gzipped),
        "gzip: empty blocks": ("ListTables", empty_blocks(), gzipped),
        "gzip: spaces": ("ListTables", gzip.compress(filled("{", " ", "}").encode(), 1), gzipped),
        "deflate: digits": (
            "PutItem",
            zlib.compress((ITEM + '"x":{"S":"' + hexadecimal + '"}}}').encode(), 1),
            deflated,
        ),
        "JSON: spaces": ("ListTables", filled("{", " ", "}"), {}),
        "JSON: brackets": ("ListTables", filled('{"x":[', "[" * 900 + "]" * 900 + ",", "1]}"), {}),
        "JSON: escapes": ("PutItem", filled(ITEM + '"x":{"S":"', "\\u00e9", '"}}}'), {}),
        "JSON: escaped quotes": ("PutItem", filled(ITEM + '"x":{"S":"', '\\"', '"}}}'), {}),
        "JSON: half surrogate at the end": (
            "PutItem",
            filled(ITEM + '"x":{"L":[', '{"S":"\\\\"},', '{"S":"\\ud800"}]}}}'),
            {},
        ),
        "JSON: big numbers": ("ListTables", filled('{"x":[', "1e999,", "1]}"), {}),
        "JSON: repeated names": ("PutItem", filled(ITEM, '"a":{"S":"b"},', '"a":{"S":"b"}}}'), {}),
        "JSON: names in descending order": (
            "PutItem",
            listed(ITEM, (f'"{9_999_999 - n}":{{"N":"1"}}' for n in numbers), "}}"),
            {},
        ),
        "values: numbers": ("PutItem", filled(ITEM + '"x":{"L":[', '{"N":"1"},', '{"N":"1"}]}}}'), {}),
        "values: numbers of 38 digits": (
            "PutItem",
            filled(ITEM + '"x":{"L":[', '{"N":"-' + "9" * 38 + 'e-99"},', '{"N":"1"}]}}}'),
            {},
        ),
        "values: numbers of many zeros": (
            "PutItem",
            filled(ITEM + '"x":{"N":"', "0", '1"}}}'),
            {},
        ),
        "values: base64": ("PutItem", filled(ITEM + '"x":{"B":"', "AAAA", '"}}}'), {}),
        "values: wrong base64 at the end": ("PutItem", filled(ITEM + '"x":{"B":"', "AAAA", '=AAA"}}}'), {}),
        "values: set of numbers": (
            "PutItem",
            listed(ITEM + '"x":{"NS":[', (f'"{9_999_999 - n}"' for n in numbers), "]}}}"),
            {},
        ),
        "values: set of texts": (
            "PutItem",
            listed(ITEM + '"x":{"SS":[', (f'"{9_999_999 - n}"' for n in numbers), "]}}}"),
            {},
        ),
        "values: set of equal texts": ("PutItem", filled(ITEM + '"x":{"SS":[', '"aa",', '"aa"]}}}'), {}),
        "values: sets of one": (
            "PutItem",
            filled(ITEM + '"x":{"L":[', '{"SS":["a"]},', '{"N":"1"}]}}}'),
            {},
        ),
        "values: nested": (
            "PutItem",
            filled(
                ITEM + '"x":{"L":[',
                nested('{"M":{"a":', '{"S":"x"}', "}}", 28) + ",",
                '{"N":"1"}]}}}',
            ),
            {},
        ),
        "values: nested too deep": (
            "PutItem",
            filled(
                ITEM + '"x":{"L":[',
                nested('{"L":[', '{"S":"x"}', "]}", 300) + ",",
                '{"N":"1"}]}}}',
            ),
            {},
        ),
        "values: without a type": ("PutItem", filled(ITEM + '"x":{"L":[', "{},", '{"N":"1"}]}}}'), {}),
        "names of an expression": (
            "UpdateItem",
            listed(
                KEY + '"UpdateExpression":"SET a = :v","ExpressionAttributeNames":{',
                (f'"#{9_999_999 - n}":"a"' for n in numbers),
                "}}",
            ),
            {},
        ),
        "values of an expression": (
            "UpdateItem",
            listed(
                KEY + '"UpdateExpression":"SET a = :v","ExpressionAttributeValues":{',
                (f'":{9_999_999 - n}":{{"N":"1"}}' for n in numbers),
                "}}",
            ),
            {},
        ),
        "attributes to get": (
            "GetItem",
            listed(KEY + '"AttributesToGet":[', (f'"{9_999_999 - n}"' for n in numbers), "]}"),
            {},
        ),
        "legacy conditions": (
            "PutItem",
            listed(
                ITEM[:-1] + '},"Expected":{',
                (f'"{9_999_999 - n}":{{"Value":{{"N":"1"}}}}' for n in numbers),
                "}}",
            ),
            {},
        ),
        "keys of a batch": (
            "BatchGetItem",
            listed(
                '{"RequestItems":{"app":{"Keys":[',
                (f'{{"id":{{"S":"{9_999_999 - n}"}}}}' for n in numbers),
                "]}}}",
            ),
            {},
        ),
        "tables of a batch": (
            "BatchGetItem",
            listed(
                '{"RequestItems":{',
                (f'"app{9_999_999 - n}":{{"Keys":[{{"id":{{"S":"a"}}}}]}}' for n in numbers),
                "}}",
            ),
            {},
        ),
        "parameters of a statement": (
            "ExecuteStatement",
            filled(
                '{"Statement":"SELECT * FROM app WHERE id = ?","Parameters":[',
                '{"S":"a"},',
                '{"S":"a"}]}',
            ),
            {},
        ),
        "long statement": (
            "ExecuteStatement",
            filled('{"Statement":"SELECT * FROM app WHERE id = \'', "a", "'\"}"),
            {},
        ),
        "long expression": ("UpdateItem", filled(KEY + '"UpdateExpression":"SET a = ', "b", '"}'), {}),
        "wrong type": ("ListTables", filled('{"Limit":[', "[],", "1]}"), {}),
        "printed value": (
            "BatchGetItem",
            filled('{"RequestItems":{"app":{"Keys":[', '{"id":{"S":"a"}},', '{"id":{"S":"a"}}],"x":1},"y":{}}}'),
            {},
        ),
    }


def small_bodies():
    """Returns for each kind of small requests its operation, its body and further header lines."""

    def condition(text):
        return (
            KEY
            + '"UpdateExpression":"SET b = :v","ConditionExpression":"'
            + text
            + '","ExpressionAttributeValues":{":v":{"N":"1"}}}'
        )

    def statement(text):
        return '{"Statement":"' + text + '"}'

    where = "SELECT * FROM app WHERE id = 'a' AND "
    cookies = {f"x-field-{number}": "a" for number in range(80)}
    signed = ";".join(["host", "x-amz-date", *sorted(cookies)])
    authorization = HEADERS["Authorization"].replace("content-type;host;x-amz-date;x-amz-target", signed)
    return {
        "HTTP: header lines": ("ListTables", "{}", cookies),
        "HTTP: long header line": ("ListTables", "{}", {"x-long": "a" * 15_000}),
        "HTTP: signed header lines": ("ListTables", "{}", cookies | {"Authorization": authorization}),
        "HTTP: origins and encodings": (
            "ListTables",
            "{}",
            {"Accept-Encoding": "gzip;q=0.1," * 1000, "Origin": "http://localhost:" + "1" * 2000},
        ),
        "condition: parentheses": ("UpdateItem", condition(nested("(NOT ", "c = :v", ")", 150))),
        "condition: comparisons": ("UpdateItem", condition(" OR ".join(["a=:v"] * 149))),
        "condition: different paths": (
            "UpdateItem",
            condition(" OR ".join(f"a{n}.b[{n}].c=:v" for n in range(149))),
        ),
        "condition: IN": ("UpdateItem", condition("a IN (" + ",".join([":v"] * 100) + ")")),
        "condition: too long": ("UpdateItem", condition("(" * 4090)),
        "condition: unknown names": ("UpdateItem", condition(" OR ".join(["#a=:v"] * 149))),
        "update: paths": (
            "UpdateItem",
            KEY + '"UpdateExpression":"REMOVE ' + ",".join(f"a{n}.b" for n in range(500)) + '"}',
        ),
        "update: overlapping paths": (
            "UpdateItem",
            KEY + '"UpdateExpression":"REMOVE ' + ",".join(["a.b"] * 1000) + '"}',
        ),
        "update: functions": (
            "UpdateItem",
            KEY
            + '"UpdateExpression":"SET c = '
            + nested("if_not_exists(x,", ":v", ")", 148)
            + '","ExpressionAttributeValues":{":v":{"N":"1"}}}',
        ),
        "projection: paths": (
            "GetItem",
            KEY + '"ProjectionExpression":"' + ",".join(f"a{n}.b[1].c" for n in range(300)) + '"}',
        ),
        "PartiQL: parentheses": ("ExecuteStatement", statement(where + nested("(", "c = 1", ")", 290))),
        "PartiQL: comparisons": ("ExecuteStatement", statement(where + " AND ".join(["c=1"] * 290))),
        "PartiQL: ORs of keys": (
            "ExecuteStatement",
            statement("SELECT * FROM app WHERE " + " OR ".join(f"id='{n}'" for n in range(300))),
        ),
        "PartiQL: IN of keys": (
            "ExecuteStatement",
            statement("SELECT * FROM app WHERE id IN [" + ",".join(f"'{n}'" for n in range(1000)) + "]"),
        ),
        "PartiQL: list": (
            "ExecuteStatement",
            statement("INSERT INTO app VALUE {'id': 'l', 'v': [" + ",".join(["1"] * 4000) + "]}"),
        ),
        "PartiQL: lists in lists": (
            "ExecuteStatement",
            statement("INSERT INTO app VALUE {'id': 'l', 'v': " + nested("[[],", "1", "]", 290) + "}"),
        ),
        "PartiQL: tuples in tuples": (
            "ExecuteStatement",
            statement(
                "INSERT INTO app VALUE {'id': 'l', 'v': "
                + nested("{'" + "a" * 18 + "':", "1", "}", 290)
                + "}"
            ),
        ),
        "PartiQL: groups of lists": (
            "ExecuteStatement",
            statement("SELECT * FROM app WHERE " + nested("([1],", "2", ")", 290)),
        ),
        "PartiQL: unknown tokens": ("ExecuteStatement", statement("SELECT " + "* " * 4000)),
        "PartiQL: columns": (
            "ExecuteStatement",
            statement("SELECT " + ",".join(f"a{n}" for n in range(1000)) + " FROM app WHERE id='a'"),
        ),
    }


def chunked_bodies():
    """Returns for each kind the body in chunks. 8 bytes of chunks carry one byte of the body."""
    body = b"{" + b" " * (2 * servers.MEGABYTE) + b"}"
    return {
        "HTTP: chunks of one byte": chunked(body, 1),
        "HTTP: chunks with extensions": b"1;" + b"a" * 16_000 + b"\r\n{\r\n" + b"1\r\n}\r\n0\r\n\r\n",
    }


def processor_nanoseconds(process):
    tasks = pathlib.Path(f"/proc/{process.pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text(encoding="ascii").split()[0]) for task in tasks)


def receive(connection, count):
    """Reads so many responses. Returns their statuses."""
    statuses = []
    received = b""
    while len(statuses) < count:
        head, found, rest = received.partition(b"\r\n\r\n")
        length = 0
        if found:
            lines = head.split(b"\r\n")
            length = next((int(line[15:]) for line in lines if line[:15].lower() == b"content-length:"), 0)
        if found and len(rest) >= length:
            statuses.append(int(head.split()[1]))
            received = rest[length:]
            continue
        more = connection.recv(1 << 16)
        if not more:
            break
        received += more
    return statuses


def measure_kind(server, requests):
    """Sends the requests on one connection. Returns the microseconds of the processor and the statuses."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=600) as connection:
        begin = processor_nanoseconds(server.process)

        def send():
            try:
                for request in requests:
                    connection.sendall(request)
            except OSError:
                pass  # the server has answered early

        sender = threading.Thread(target=send)
        sender.start()
        statuses = receive(connection, len(requests))
        sender.join()
        return (processor_nanoseconds(server.process) - begin) / 1000, statuses


def content_bytes(request):
    """Returns the size of the decompressed body, or of its first member of gzip."""
    either_format = 47
    return len(zlib.decompressobj(either_format).decompress(request.partition(b"\r\n\r\n")[2]))


def longest_wait(server, request):
    """Returns the milliseconds of the slowest GetItem of other clients while a client sends the request again."""
    with large.Readers(server.port) as readers:
        end = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < end:
            large.status_of(server.port, request)
    return round(max(readers.seconds) * 1000, 1)


def kinds():
    """Returns for each kind its requests and its limit of microseconds for each byte."""
    for name, (operation, body, fields) in large_bodies().items():
        yield name, [request_of(operation, body, fields)], LARGE_MAX
    for name, body in chunked_bodies().items():
        yield name, [request_of("ListTables", body, {"Transfer-Encoding": "chunked"})], LARGE_MAX
    for name, (operation, body, *fields) in small_bodies().items():
        request = request_of(operation, body, *fields)
        # Different texts, so that no cache has the parsed form.
        bodies = (
            body.replace("c ", f"c{n} ").replace("a=", f"a{n}=")
            for n in range(max(1, SMALL_BYTES // len(request)))
        )
        yield name, [request_of(operation, one, *fields) for one in bodies], SMALL_MAX


def line_of(row):
    wait = "" if row["wait_max_ms"] is None else f", another client waits {row['wait_max_ms']} ms"
    return (
        f"{row['kind']:36} {row['bytes']:>10} bytes {row['microseconds_per_byte']:8.4f} us/B of {row['limit']}{wait}, "
        f"statuses {row['statuses']}"
    )


def measure(arguments):
    rows = []
    command = (arguments.program, "serve", "--memory", "--port", "0", "--threads", "2")
    for name, requests, limit in kinds():
        if arguments.kind and arguments.kind not in name:
            continue
        with servers.Server(command, 0) as server:
            server.wait_until_it_answers()
            client = Client(server.port)
            client.ask("CreateTable", TABLE)
            client.close()
            microseconds, statuses = measure_kind(server, requests)
            wait = longest_wait(server, requests[0]) if len(requests[0]) > servers.MEGABYTE else None
        size = sum(len(request) for request in requests)
        if "gzip" in name or "deflate" in name:
            size = max(size, content_bytes(requests[0]))
        rows.append(
            {
                "kind": name,
                "bytes": size,
                "microseconds_per_byte": round(microseconds / size, 4),
                "limit": limit,
                "wait_max_ms": wait,
                "statuses": {str(key): len(list(group)) for key, group in itertools.groupby(sorted(statuses))},
            }
        )
        print(line_of(rows[-1]), flush=True)
    return {"context": {}, "rows": rows}


def failures(document):
    """Returns a line for each kind over its limit."""
    return [
        f"over its limit: {line_of(row)}"
        for row in document["rows"]
        if row["microseconds_per_byte"] > row["limit"]
        or not row["statuses"]
        or (row["wait_max_ms"] or 0) > WAIT_MAX
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="dolmen, built for release, or a recorded run (JSON)")
    parser.add_argument("--kind", help="only the kinds whose names have this text")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="directory for the results")
    arguments = parser.parse_args()
    document = results.measured_or_recorded(arguments, measure, "parsers.json")
    found = failures(document)
    print("\n".join(found) or "all kinds stayed within their limits")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
