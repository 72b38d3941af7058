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

import os
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "http"))

import language_reads  # noqa: E402  pylint: disable=wrong-import-position


def run_benchmarks(arguments, variables):
    environment = os.environ | variables
    command = ["go", "test", "-run=^$", "-bench=.", f"-benchtime={arguments.seconds}s"]
    command += [f"-count={arguments.rounds}", "."]
    output = language_reads.output_of(command, HERE, environment)
    version = language_reads.output_of(["go", "version"], HERE, environment).split()[2]
    return version, re.findall(
        r"^Benchmark(\w+)/(\w+)\S*\s+\d+\s+([\d.]+) ns/op", output, re.M
    )


if __name__ == "__main__":
    language_reads.main("Go", __doc__, run_benchmarks)
