#!/usr/bin/env python3
"""Times GetItem and Query of the newest 50 messages in Go, by each way to a database.

  bench.py build/release/api/command/dolmen [--out bench/results]

All ways read the same items, those of bench/http, in memory, with one goroutine:
- Execute: Database.Execute, with DynamoDB's JSON, which is not parsed
- SDKInProcess: the AWS SDK in process, by dolmenaws.NewClient
- SDKHTTPClient: the AWS SDK in process, by Database.HTTPClient
- SDKOverHTTP: the AWS SDK and `dolmen serve`
- SQLite: the module go-sqlite3, with one column per attribute
"""

import argparse
import collections
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "http"))

# pylint: disable=wrong-import-position
import servers  # noqa: E402
from chat_data import READS, Chat  # noqa: E402
from client import Client  # noqa: E402

WORKLOADS = ("get_item", "query_newest_50")
GOAL = 3  # the least number of calls in process for one call over HTTP


def calls_of(chat, name):
    """Yields (operation, request, items that a read must find)."""
    if name == "load":
        yield *chat.create_table(), None
        for operation, batch in chat.load():
            yield operation, batch, None
    elif name == "messages":
        for i in range(chat.messages):
            yield "PutItem", {}, [chat.message(i)]
    else:
        for i in range(100):
            yield *READS[name].request(chat, i), READS[name].items(chat, i)


def write_calls(chat, directory):
    """Writes the files that bench_test.go reads. Returns environment variables with their paths."""
    variables = {}
    for name in ("load", "messages", *WORKLOADS):
        path = pathlib.Path(directory) / name
        lines = (
            json.dumps({"Operation": operation, "Request": request, "Items": items}) + "\n"
            for operation, request, items in calls_of(chat, name)
        )
        path.write_text("".join(lines), encoding="utf-8")
        variables[f"DOLMEN_BENCH_{name}"] = str(path)
    return variables


def run_benchmarks(arguments, variables):
    """Returns {workload: {way: (microseconds of each round)}}."""
    command = ["go", "test", "-run=^$", "-bench=.", f"-benchtime={arguments.seconds}s"]
    done = subprocess.run(
        [*command, f"-count={arguments.rounds}", "."],
        cwd=HERE,
        env=os.environ | variables,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        sys.exit(done.stdout)
    times = collections.defaultdict(lambda: collections.defaultdict(list))
    for way, workload, nanoseconds in re.findall(
        r"^Benchmark(\w+)/(\w+)\S*\s+\d+\s+([\d.]+) ns/op", done.stdout, re.M
    ):
        times[workload][way].append(float(nanoseconds) / 1000)
    return times


def report(times):
    """Returns a Markdown table: microseconds of a call, and its ratio to SDKInProcess."""
    medians = {
        workload: {way: statistics.median(rounds) for way, rounds in times[workload].items()}
        for workload in WORKLOADS
    }
    lines = ["| us a call (ratio to SDKInProcess) | " + " | ".join(WORKLOADS) + " |", "|---|---|---|"]
    for way in medians[WORKLOADS[0]]:
        cells = [
            f"{found[way]:.1f} ({found[way] / found['SDKInProcess']:.2f} x)"
            for found in medians.values()
        ]
        lines.append(f"| {way} | {' | '.join(cells)} |")
    lines.append("")
    for workload, found in medians.items():
        ratio = found["SDKOverHTTP"] / found["SDKInProcess"]
        verdict = "holds" if ratio >= GOAL else "fails"
        lines.append(f"- {workload}: over HTTP >= {GOAL} x in process: {ratio:.1f} x, {verdict}")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", help="dolmen, built for release")
    parser.add_argument("--out", type=pathlib.Path, help="directory for go.md")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.3, help="of one way in one round")
    parser.add_argument("--conversations", type=int, default=20)
    parser.add_argument("--messages", type=int, default=200, help="messages per conversation")
    arguments = parser.parse_args()
    chat = Chat(arguments.conversations, arguments.messages)
    with tempfile.TemporaryDirectory() as directory:
        variables = write_calls(chat, directory)
        with servers.dolmen_in_memory(arguments.program).start(0) as server:
            server.wait_until_it_answers()
            variables["DOLMEN_ENDPOINT"] = f"http://127.0.0.1:{server.port}"
            client = Client(server.port)
            for operation, request, _ in calls_of(chat, "load"):
                client.ask(operation, request)
            client.close()
            times = run_benchmarks(arguments, variables)
    version = subprocess.run(["go", "version"], stdout=subprocess.PIPE, text=True, check=True)
    text = "\n".join(
        [
            "# Reads in Go",
            "",
            f"{version.stdout.split()[2]}, {chat.messages} messages; medians of {arguments.rounds} rounds.",
            "",
            report(times),
        ]
    )
    print(text)
    if arguments.out:
        (arguments.out / "go.md").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
