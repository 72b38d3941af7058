#!/usr/bin/env python3
"""Stops `dolmen copy` repeatedly, and checks that the next runs complete the copy.

A table in a directory is copied to a server, or a table of a server to a directory. The copy gets
SIGKILL, or sometimes SIGINT, when its target has grown by a random number of bytes. The last run is
not stopped and verifies all items. Before the copy an estimate is printed; the units that the last
run reports are those of all runs, so they must be near the estimate.
"""

import argparse
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench" / "http"))

import servers  # noqa: E402 pylint: disable=wrong-import-position

TABLE = "app"
INTERRUPTED = "run the same command again to resume"
SCHEMA = {
    "AttributeDefinitions": [
        {"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK", "GSI1PK")
    ],
    "KeySchema": [
        {"AttributeName": "PK", "KeyType": "HASH"},
        {"AttributeName": "SK", "KeyType": "RANGE"},
    ],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "GSI1",
            "KeySchema": [{"AttributeName": "GSI1PK", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "KEYS_ONLY"},
        }
    ],
}


def write_items(path, count, chance):
    """Writes item lines. The sizes differ by a factor of 50. Each 16th item is in the index."""
    with open(path, "w", encoding="utf-8") as file:
        for number in range(count):
            item = {
                "PK": {"S": f"p{chance.randrange(1 + count // 10)}"},
                "SK": {"S": f"{number:08}"},
                "text": {"S": "t" * chance.choice((20, 100, 200, 1000))},
                "tags": {"SS": ["b", "a"]},
                "nested": {"M": {"n": {"N": str(chance.randrange(1000))}, "list": {"L": []}}},
            }
            if number % 16 == 0:
                item["GSI1PK"] = {"S": f"g{number}"}
            file.write(json.dumps({"Item": item}) + "\n")


def size_of(directory):
    sizes = []
    for file in directory.glob("**/*"):
        try:
            sizes.append(file.stat().st_size)
        except FileNotFoundError:
            pass  # the server has deleted it
    return sum(sizes)


class Copy:
    """The places of a copy, and its runs."""

    def __init__(self, arguments, directory, source, target, target_directory):
        self.program = arguments.program
        self.command = (self.program, "copy", source, target, "--table", TABLE)
        self.environment = os.environ | {"XDG_STATE_HOME": str(directory / "state")}
        self.target_directory = target_directory

    def run(self, *options):
        """Runs the command to its end. Returns what it prints."""
        done = subprocess.run(
            (*self.command, *options),
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            sys.exit(f"the copy failed: {done.stdout}")
        return done.stdout

    def stop_after(self, growth, kills):
        """Stops a run when the target has grown. Returns False if the run has ended before."""
        begin = size_of(self.target_directory)
        with subprocess.Popen(
            self.command, env=self.environment, stderr=subprocess.PIPE
        ) as process:
            while process.poll() is None and size_of(self.target_directory) < begin + growth:
                time.sleep(0.001)
            was_running = process.poll() is None
            process.send_signal(signal.SIGKILL if kills else signal.SIGINT)
            told = process.stderr.read().decode()
        if process.returncode == 0:
            return False
        # A signal can arrive before the command handles it.
        was_ended = process.returncode in (-signal.SIGKILL, -signal.SIGINT)
        if not was_running or not (was_ended or INTERRUPTED in told):
            sys.exit(f"the copy ended with {process.returncode}: {told}")
        return True


def units_in(pattern, text):
    found = re.search(pattern, text)
    if found is None:
        sys.exit(f"no units in: {text}")
    return int(found[1].replace(",", ""))


def check_estimate(estimate, last):
    for doing, told in (("Read from", "read"), ("Write to", "wrote")):
        estimated = units_in(doing + r" .*: ([0-9,]+) units?", estimate)
        counted = units_in(told + r" ([0-9,]+) units?", last)
        print(f"{told}: {counted} units, estimated {estimated}")
        if abs(estimated - counted) > 0.05 * counted:
            sys.exit("the estimate is more than 5 % off")


def run(arguments, directory, chance):
    data = directory / "source.dolmen"
    items = directory / "items.json"
    schema = directory / "schema.json"
    write_items(items, arguments.items, chance)
    schema.write_text(json.dumps(SCHEMA), encoding="utf-8")
    subprocess.run(
        (arguments.program, "import", "--path", data, "--table", TABLE, "--create-table")
        + ("--schema", schema, items),
        check=True,
    )
    is_to_service = arguments.direction == "to_service"
    copied = directory / "target.dolmen"
    served = copied if is_to_service else data
    with servers.dolmen_on_disk(arguments.program, served, "buffered").start(0) as server:
        server.wait_until_it_answers()
        url = f"http://127.0.0.1:{server.port}"
        places = (str(data), url) if is_to_service else (url, str(copied))
        copied.mkdir(exist_ok=True)
        copy = Copy(arguments, directory, *places, copied)
        estimate = copy.run("--estimate")
        print(estimate, end="")
        growth = 2 * size_of(data) // (arguments.kills + 1)
        stopped = sum(
            copy.stop_after(chance.randrange(growth), kills=chance.random() < 0.8)
            for _ in range(arguments.kills)
        )
        last = copy.run("--verify")
        print(f"stopped {stopped} times\n{last}", end="")
        if f"Verified {arguments.items:,} items" not in last:
            sys.exit("the copy is not verified")
        check_estimate(estimate, last)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="dolmen")
    parser.add_argument("--direction", choices=("to_service", "from_service"), default="to_service")
    parser.add_argument("--items", type=int, default=20_000)
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--seed", default=os.environ.get("DOLMEN_SEED") or random.randrange(10**9))
    arguments = parser.parse_args()
    print(f"{arguments.direction}, --seed={arguments.seed}", flush=True)
    with tempfile.TemporaryDirectory() as directory:
        run(arguments, pathlib.Path(directory), random.Random(f"{arguments.seed}"))


if __name__ == "__main__":
    main()
