#!/usr/bin/env python3
"""Times GetItem and Query of the newest 50 messages in Rust, by each way to a database.

  bench.py build/release/api/command/dolmen [--out bench/results]

All ways read the same items, those of bench/http, in one task of tokio, and all but SDKOnDisk in memory:
- Execute: Database::execute, with DynamoDB's JSON, which is not parsed
- ExecuteJson: Database::execute_json, with values of serde_json
- SDKInProcess: the AWS SDK in process, by Database::client
- SDKOnDisk: the same with a database on disk, whose calls run in other threads
- SDKOverHTTP: the AWS SDK and `dolmen serve`
- SQLite: rusqlite, with one column per attribute
"""

import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "http"))

import language_reads  # noqa: E402  pylint: disable=wrong-import-position


def run_benchmarks(arguments, variables):
    build = HERE.parents[1] / "build"
    environment = os.environ | variables
    environment["CARGO_TARGET_DIR"] = str(build / "cargo")
    environment["DOLMEN_LIB_DIR"] = str(build / "packages/rust/native")
    command = ["cargo", "run", "--locked", "--release", "--quiet"]
    command += ["--", str(arguments.rounds), str(arguments.seconds)]
    output = language_reads.output_of(command, HERE, environment)
    version = language_reads.output_of(["rustc", "--version"], HERE, environment).split()[1]
    return f"rustc {version}", [line.split() for line in output.splitlines()]


if __name__ == "__main__":
    language_reads.main("Rust", __doc__, run_benchmarks)
