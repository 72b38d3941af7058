#!/usr/bin/env python3
"""Runs benches: builds what a bench needs, and writes its results to bench/results.

  make bench                                          the bench `workloads`
  make bench BENCH="http scale"                       these benches
  make bench BENCH=scale ARGS=--max=1000000           with other arguments; writes to build/bench
"""

import argparse
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests"))

from support.rows import Row, listing  # noqa: E402  pylint: disable=wrong-import-position

DOLMEN = "$RELEASE/api/command/dolmen"
BENCHES = {
    "workloads": Row(
        "all workloads on Dolmen, RocksDB, LMDB and SQLite; ARGS=--benchmark_filter=... selects",
        (
            "mkdir -p build/bench && rm -f build/bench/run.json build/bench/cold.json",
            "$RELEASE/bench/dolmen_bench --benchmark_out=build/bench/run.json $ARGS",
            '[[ -n $ARGS ]] || $RELEASE/bench/dolmen_bench --cold --benchmark_out=build/bench/cold.json'
            " --benchmark_filter='^(point_get|newest_50|inbox_50)/(dolmen|dolmen_encrypted|rocksdb|sqlite|lmdb)$'",
            "bench/report/report.py build/bench/run.json --out $OUT",
        ),
        targets=("dolmen_bench",),
        packages=("bench",),
    ),
    "instructions": Row(
        "counts instructions, and compares them with the limits of bench/report/instructions.txt",
        ("bench/report/instructions.py $RELEASE/bench/dolmen_bench $ARGS",),
        targets=("dolmen_bench",),
        packages=("bench",),
    ),
    "models": Row(
        "the access patterns of the models; ARGS=--benchmark_filter=chat/ selects",
        ("$RELEASE/bench/dolmen_model_bench $ARGS",),
        targets=("dolmen_model_bench",),
    ),
    "scale": Row(
        "the cost of a row and of a page as the data grow to 10^7 items; ARGS=--max=1000000",
        ("bench/scale/scale.py $RELEASE/bench/dolmen_scale --out $OUT $ARGS",),
        targets=("dolmen_scale",),
        packages=("bench",),
    ),
    "soak": Row(
        "resident memory over ten minutes, which must stay within its limit; ARGS=--minutes=1",
        ("bench/soak/soak.py $RELEASE/bench/dolmen_soak --out $OUT $ARGS",),
        targets=("dolmen_soak",),
        packages=("bench",),
    ),
    "import": Row(
        "an import of 10^6 messages with one index, beside sqlite3 and SstFileWriter; ARGS=--items=100000",
        (f"bench/import/import.py {DOLMEN} $RELEASE/bench/dolmen_sorted_files $ARGS",),
        targets=("dolmen_command", "dolmen_sorted_files"),
        packages=("bench",),
    ),
    "tests": Row(
        "200 tests that fork 10,000 items: by threads, by shards of ctest, and in a process each",
        ("tests/processes/seconds.py $RELEASE/tests/processes/orders_test",),
        targets=("orders_test",),
    ),
    "http": Row(
        "requests a second of dolmen serve and dynoxide; ARGS=--rounds=3",
        (
            "tests/differential/install_peers.sh build/peers dynoxide",
            f"bench/http/throughput.py {DOLMEN} --peers build/peers --out $OUT $ARGS",
        ),
        targets=("dolmen_command",),
    ),
    "load": Row(
        "all operations of 64 connections for ten minutes; ARGS=--minutes=1",
        (f"bench/http/load.py {DOLMEN} --out $OUT $ARGS",),
        targets=("dolmen_command",),
        packages=("http",),
    ),
    "large": Row(
        "bodies of 16 MiB from 64 clients: memory, and the time of other clients; ARGS=--clients=8",
        (f"bench/http/large.py {DOLMEN} --out $OUT $ARGS",),
        targets=("dolmen_command",),
    ),
    "parsers": Row(
        "microseconds for each byte of the requests that are the most expensive to parse; ARGS=--kind=gzip",
        (f"bench/http/parsers.py {DOLMEN} --out $OUT $ARGS",),
        targets=("dolmen_command",),
    ),
    "remote": Row(
        "Database::Connect beside the SDKs for Go, Java and Python over HTTP; ARGS=--rounds=1",
        (
            f"bench/remote/bench.sh build/remote {DOLMEN} $RELEASE/bench/dolmen_remote_client --out $OUT $ARGS",
        ),
        targets=("dolmen_command", "dolmen_remote_client"),
        packages=("clients",),
    ),
    "python": Row(
        "reads in Python by each way, over HTTP, by moto and by sqlite3; ARGS=--rounds=3",
        (f"bench/python/bench.sh build/packages {DOLMEN} --out $OUT $ARGS",),
        targets=("dolmen_command",),
        packages=("clients",),
        languages=("python",),
    ),
    "javascript": Row(
        "reads in Node.js by each way, over HTTP and by SQLite; ARGS=--rounds=3",
        (
            "api/bindings/javascript/test.sh build/packages",  # installs the package
            f"bench/javascript/bench.sh build/packages {DOLMEN} --out $OUT $ARGS",
        ),
        targets=("dolmen_command",),
        packages=("clients",),
        languages=("javascript",),
    ),
    "go": Row(
        "reads in Go by the SDK in process and over HTTP, by Execute and by SQLite; ARGS=--rounds=3",
        (f"bench/go/bench.py {DOLMEN} --out $OUT $ARGS",),
        targets=("dolmen_command",),
        packages=("clients",),
        languages=("go",),
    ),
    "java": Row(
        "reads in Java by each way, over HTTP and by SQLite; ARGS=--rounds=3",
        (f"bench/java/bench.sh build/packages {DOLMEN} --out=$OUT $ARGS",),
        targets=("dolmen_command",),
        packages=("clients",),
        languages=("java",),
    ),
    "rust": Row(
        "reads in Rust by the SDK in process and over HTTP, by execute and by SQLite; ARGS=--rounds=3",
        (f"bench/rust/bench.py {DOLMEN} --out $OUT $ARGS",),
        targets=("dolmen_command",),
        packages=("clients",),
        languages=("rust",),
    ),
}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=f"Benches:\n{listing(BENCHES)}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("benches", nargs="*", default=["workloads"], metavar="BENCH")
    for name in (benches := parser.parse_args().benches):
        if name not in BENCHES:
            sys.exit(f"Unknown bench: {name}. The benches are:\n{listing(BENCHES)}")
    for name in benches:
        if (code := BENCHES[name].run()) != 0:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
