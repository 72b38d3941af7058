#!/usr/bin/env python3
"""Times the import of messages with one index: `dolmen import`, the .import of sqlite3, and the least that RocksDB needs.

The least is dolmen_sorted_files, which writes the same keys and values, already in order, with RocksDB's SstFileWriter.
The messages are in the order of their times, and so in no order of their keys. The seconds of processors are those of
all threads.
"""

import argparse
import json
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

TABLE = {
    "TableName": "app",
    "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK", "GSI1PK", "GSI1SK")],
    "GlobalSecondaryIndexes": [{
        "IndexName": "GSI1",
        "KeySchema": [{"AttributeName": "GSI1PK", "KeyType": "HASH"}, {"AttributeName": "GSI1SK", "KeyType": "RANGE"}],
        "Projection": {"ProjectionType": "ALL"},
    }],
    "BillingMode": "PAY_PER_REQUEST",
}
SQLITE = """create table app(PK text, SK text, GSI1PK text, GSI1SK text, type text, text text, sentAt int,
  primary key (PK, SK)) without rowid;
create index GSI1 on app(GSI1PK, GSI1SK);
.mode csv
.import {csv} app
"""


def write_messages(directory, count):
    """Writes the same messages as lines of JSON and as CSV."""
    numbers = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz "
    with open(directory / "items.json", "w") as lines, open(directory / "items.csv", "w") as csv:
        for i in range(count):
            time_sent = 1_700_000_000_000 + i
            key = {"PK": f"CHANNEL#{numbers.randrange(1000):06}", "SK": f"MSG#{time_sent}#{i:07}",
                   "GSI1PK": f"USER#{numbers.randrange(5000):06}", "GSI1SK": f"MSG#{time_sent}#{i:07}",
                   "type": "message", "text": "".join(numbers.choices(letters, k=120))}
            item = {name: {"S": value} for name, value in key.items()} | {"sentAt": {"N": str(time_sent)}}
            lines.write(json.dumps({"Item": item}) + "\n")
            csv.write(",".join((*key.values(), str(time_sent))) + "\n")


def timed(command, **options):
    """Runs a command. Returns its seconds and the seconds of its processors."""
    used, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, check=True, **options)
    seconds, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dolmen")
    parser.add_argument("sorted_files", help="the program dolmen_sorted_files")
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        write_messages(directory, arguments.items)
        (directory / "table.json").write_text(json.dumps(TABLE))
        best = {}
        for _ in range(arguments.rounds):
            database, sqlite = directory / "app.dolmen", directory / "app.db"
            shutil.rmtree(database, ignore_errors=True)
            sqlite.unlink(missing_ok=True)
            runs = {
                "dolmen import": timed(
                    (arguments.dolmen, "import", "--path", database, "--table", "app", "--create-table", "--schema",
                     directory / "table.json", directory / "items.json"), stderr=subprocess.DEVNULL),
                "sqlite3 .import": timed(
                    ("sqlite3", sqlite), input=SQLITE.format(csv=directory / "items.csv"), text=True),
            }
            least = subprocess.run((arguments.sorted_files, database), check=True, capture_output=True, text=True).stdout
            seconds = float(re.search(r"in ([\d.]+) s", least).group(1))
            runs["SstFileWriter"] = (seconds, seconds)
            for contender, run in runs.items():
                best[contender] = min(best.get(contender, run), run)
    print(f"{arguments.items:,} messages with one index, the best of {arguments.rounds} rounds")
    print(f"{'':16} {'seconds':>8} {'of processors':>14} {'of SQLite':>10}")
    for contender, (seconds, busy) in best.items():
        print(f"{contender:16} {seconds:8.2f} {busy:14.2f} {seconds / best['sqlite3 .import'][0]:10.2f}")


if __name__ == "__main__":
    sys.exit(main())
