#!/usr/bin/env python3
"""Prints the seconds that 200 tests take, each with a fork of 10,000 items, by several ways to run them."""

import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

TESTS = 200


def ctest(directory, commands):
    """Returns a command that runs `commands`, pairs of an environment and a program with arguments, as tests."""
    directory.mkdir()
    with open(directory / "CTestTestfile.cmake", "w", encoding="utf-8") as file:
        for number, (environment, command) in enumerate(commands):
            arguments = " ".join(f'"{argument}"' for argument in command)
            variables = ";".join(f"{name}={value}" for name, value in environment.items())
            file.write(f"add_test({number} {arguments})\n")
            file.write(f'set_tests_properties({number} PROPERTIES ENVIRONMENT "{variables}")\n')
    return ["ctest", "-j2", "--test-dir", directory]


def shard(index):
    return {"GTEST_TOTAL_SHARDS": 2, "GTEST_SHARD_INDEX": index}


def seconds(command):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def ways_in(directory, program):
    """Returns {name of a way: its command}. Writes the files that the commands need into the directory."""
    stored = directory / "orders"
    subprocess.run([program, f"--store={stored}"], check=True)
    each = [({"ORDERS": stored}, [program, f"--gtest_filter=*/{test}"]) for test in range(TESTS)]
    return {
        "16 threads of one process": [program, "--threads=16"],
        "ctest -j2, 2 shards": ctest(directory / "shards", [(shard(i), [program]) for i in range(2)]),
        "ctest -j2, a process for each test": ctest(directory / "each", each),
        "ctest -j2, 200 times the program `true`": ctest(directory / "true", [({}, ["true"])] * TESTS),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=pathlib.Path, help="orders_test, built for release")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dolmen_orders.") as name:
        ways = ways_in(pathlib.Path(name), arguments.program.resolve())
        times = {way: [] for way in ways}
        for _ in range(arguments.rounds):
            for way, command in ways.items():
                times[way].append(seconds(command))
    print(f"seconds for {TESTS} tests on {os.cpu_count()} processors, {arguments.rounds} rounds: median (min to max)")
    for way, taken in times.items():
        print(f"{statistics.median(taken):7.2f} ({min(taken):.2f} to {max(taken):.2f})  {way}")


if __name__ == "__main__":
    main()
