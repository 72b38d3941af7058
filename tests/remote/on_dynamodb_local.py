#!/usr/bin/env python3
"""Runs tests on DynamoDB Local, each database with an access key of its own.

Leaves out the tests that differences.txt lists for every remote database, and those that
on_dynamodb_local.txt lists for DynamoDB Local. Fails if another test fails, or if a listed test of
on_dynamodb_local.txt passes, unless it fails only in some runs.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "differential"))

import peers  # noqa: E402

# The tests of `behaviour` expect exact messages. tests/differential compares these with Local's.
FOLDERS = ("models", "entity")


def read_patterns(path, without=None):
    """Returns the patterns of googletest in a list of differences, by the folder of the tests. Leaves
    out the lines that contain the text `without`.
    """
    patterns = {folder: [] for folder in FOLDERS}
    for line in path.read_text(encoding="utf-8").splitlines():
        match = re.match(r"(\w+)/(\S+) .", line)
        if without and without in line:
            continue
        if match and match.group(1) in FOLDERS:
            patterns[match.group(1)].append(match.group(2))
    return patterns


def run(program, only, without, url):
    """Runs tests of a program and returns its exit status and its output."""
    result = subprocess.run(
        (program, f"--gtest_filter={':'.join(only)}-{':'.join(without)}", "--gtest_brief=1"),
        env={**os.environ, "DOLMEN_REMOTE": url},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    return result.returncode, result.stdout


def check_folder(folder, programs, url):
    """Runs the tests of a folder. Returns the number of tests, and what is wrong."""
    remote = read_patterns(HERE / "differences.txt")[folder]
    local = read_patterns(HERE / "on_dynamodb_local.txt")[folder]
    failing = read_patterns(HERE / "on_dynamodb_local.txt", "(some runs)")[folder]
    program = programs / f"{folder}_test"
    status, output = run(program, ["*"], remote + local, url)
    faults = [] if status == 0 else [f"{program.name} ended with {status}:\n{output}"]
    ran = re.findall(r"^\[==========\] (\d+) tests? ", output, re.M)
    for pattern in failing:
        status, _ = run(program, [pattern], remote, url)
        if status == 0:
            faults.append(f"{folder}/{pattern} passes; remove its line from on_dynamodb_local.txt")
    return int(ran[-1]) if ran else 0, faults


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--local", required=True, help="the directory with DynamoDB Local")
    parser.add_argument("--tests", required=True, help="the directory with the test programs")
    parser.add_argument("folders", nargs="*", help=f"of {' '.join(FOLDERS)} (default: all)")
    arguments = parser.parse_args()
    server = peers.start_dynamodb_local(arguments.local, "tests", shares_tables=False)
    faults = []
    try:
        server.wait_until_ready()
        url = f"http://127.0.0.1:{server.port}"
        for folder in arguments.folders or FOLDERS:
            count, found = check_folder(folder, pathlib.Path(arguments.tests), url)
            print(f"{folder}: {count} tests, {len(found)} faults", flush=True)
            faults += found
    finally:
        server.stop()
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
