#!/usr/bin/env python3
"""Runs the checks that take too long for CI, and records their results in tests/campaign.md.

  make campaign                                       every check
  make campaign CHECKS="crash faults"                 these checks
  make campaign CHECKS=crash DOLMEN_STEPS=100 DOLMEN_SEED=7
  make campaign HOURS=24                              all checks again with new seeds for a day
  tests/campaign.py --share crash faults              about a minute of each check, which is not recorded
  tests/campaign.py --check                           prints what this release lacks in the record
"""

import argparse
import collections
import datetime
import itertools
import os
import pathlib
import re
import subprocess
import sys
import time

from support.rows import ROOT, Row, listing

RECORD = ROOT / "tests" / "campaign.md"
DOLMEN = "$RELEASE/api/command/dolmen"


def on_steps(steps, program, tests):
    """Returns the command that runs tests of a program with so many steps, or with DOLMEN_STEPS."""
    return f"DOLMEN_STEPS=${{DOLMEN_STEPS:-{steps}}} $RELEASE/tests/{program} --gtest_filter='{tests}'"


def differential(about, options=""):
    """Returns a row that compares the answers of `dolmen serve` and of other implementations of DynamoDB."""
    return Row(
        f"{about}, compared with other implementations of DynamoDB; ARGS=--cases=1000",
        (
            "tests/differential/install_peers.sh build/peers",
            f"tests/differential/run.py --build build/peers --dolmen {DOLMEN} {options} $ARGS",
        ),
        targets=("dolmen_command",),
    )


# Each check with its commands. A command ends with an error if the check fails.
CHECKS = {
    "clients": Row("real SDKs and tools on `dolmen serve`", ('make clients ARGS="$ARGS"',)),
    "clients-process": Row("the SDKs in process", ('make clients PEER=process ARGS="$ARGS"',)),
    "packages": Row("the tests of the packages for other languages", ('make packages ARGS="$ARGS"',)),
    "packages-bare": Row(
        "the first program of each package on a Debian that has only the language; DEBIAN=trixie",
        ("make packages BARE=1 DEBIAN=$DEBIAN",),
    ),
    "arm64": Row("the engine's tests and the behaviour on arm64 under qemu", ("tests/arm64.sh $ARGS",)),
    "newest": Row(
        "all tests with the newest RocksDB and simdjson",
        (
            ".ci/closed.sh all",
            "ctest --test-dir build/closed --output-on-failure -j $(nproc) $ARGS",
        ),
    ),
    "differential": differential("requests by HTTP"),
    "differential-partiql": differential("PartiQL by HTTP", "--partiql"),
    "model": Row(
        "a million random operations, compared with a model",
        (on_steps(1_000_000, "model_test", "TablesTest.*ReferenceMaps"),),
        targets=("model_test",),
        share={"DOLMEN_STEPS": "50000"},
    ),
    "crash": Row(
        "1000 kills of processes that write, in each test, with random options",
        (on_steps(1000, "durability_test", "Kill*:*/Kill*"),),
        targets=("durability_test",),
        share={"DOLMEN_STEPS": "60"},
    ),
    "damage": Row(
        "files of a database, damaged in 5000 ways; 100000 changed bits of table files",
        (
            on_steps(5000, "durability_test", "DamageTest.*-*Bit*"),
            on_steps(100_000, "durability_test", "DamageTest.*Bit*"),
            on_steps(10_000, "durability_test", "TableBackupDamageTest.*"),
        ),
        targets=("durability_test",),
        share={"DOLMEN_STEPS": "500"},
    ),
    "faults": Row(
        "each failing call of the file system, each failing allocation, power cuts, crashes of the model",
        (
            on_steps(1_000_000, "durability_test", "FailingCallTest.*"),
            on_steps(1000, "durability_test", "*PowerCutTest.*"),
            on_steps(1_000_000, "durability_test", "FailingAllocationTest.*"),
            on_steps(1_000_000, "model_test", "TablesTest.*AfterCrashes"),
        ),
        targets=("durability_test", "model_test"),
        share={"DOLMEN_STEPS": "100"},
    ),
    "evolution": Row(
        "three versions of a program that migrate 100000 items and are killed 20 times",
        (
            "DOLMEN_STEPS=${DOLMEN_STEPS:-20} DOLMEN_MEMBERS=${DOLMEN_MEMBERS:-100000} "
            "$RELEASE/tests/evolution_test",
        ),
        targets=("evolution_test",),
        share={"DOLMEN_STEPS": "2", "DOLMEN_MEMBERS": "10000"},
    ),
    "simulate": Row(
        "1000 random programs under all simulated faults, twice; the model and concurrent callers",
        (
            on_steps(1000, "simulate_test", "RandomSimulationTest.*"),
            on_steps(50_000, "model_test", "TablesTest.*Fault"),
            "$RELEASE/tests/concurrent_test --gtest_filter='IsolationTest.*Fault:IsolationTest.*Lag'",
        ),
        targets=("simulate_test", "model_test", "concurrent_test"),
    ),
    "backup": Row(
        "50 backups under four writers, and the second backup of 1 GB",
        (
            "DOLMEN_BACKUP_MB=${DOLMEN_BACKUP_MB:-1000} "
            + on_steps(50, "backup_test", "BackupRigTest.*:BackupSizeTest.*"),
        ),
        targets=("backup_test",),
        share={"DOLMEN_STEPS": "5", "DOLMEN_BACKUP_MB": "100"},
    ),
    "network": Row(
        "100000 random operations of Database::Connect over a network with faults",
        (on_steps(100_000, "remote_test", "BadNetwork*"),),
        targets=("remote_test",),
        share={"DOLMEN_STEPS": "30000"},
    ),
    "fuzz": Row(
        "each parser and decoder, FUZZ_SECONDS (1200) long; ARGS='number item' selects",
        (
            "cmake --preset fuzz",
            "cmake --build --preset fuzz --target fuzzers",
            "FUZZ_SECONDS=${FUZZ_SECONDS:-1200} tests/fuzz/run.sh build/fuzz $ARGS",
        ),
        packages=("ci",),
    ),
    "encrypted": Row(
        "the tests of all folders that open databases, with encrypted databases",
        (
            "DOLMEN_ENCRYPTED=1 ctest --preset release "
            "-LE '^(bench|compile_fail|install|readme|repository|upgrade)$'",
        ),
        targets=("all",),
    ),
    "locales": Row(
        "tests of the release and of each package in five locales; ARGS=de_DE", ("tests/locales.sh $ARGS",)
    ),
    "copy": Row(
        "10^6 items to a server and back with 20 kills each, and four writers that a copy follows",
        (
            f"tests/copy/killed.py {DOLMEN} --direction=to_service --items=1000000 --kills=20 $ARGS",
            f"tests/copy/killed.py {DOLMEN} --direction=from_service --items=1000000 --kills=20 $ARGS",
            f"tests/copy/followed.py {DOLMEN} --kills=2",
            f"tests/copy/followed.py {DOLMEN} --kills=2 --to-directory",
        ),
        targets=("dolmen_command",),
    ),
    "hostile": Row(
        "every command on 500 databases and backups with pipes, devices, links and sparse files",
        (f"DOLMEN_STEPS=${{DOLMEN_STEPS:-500}} tests/hostile/forged.py {DOLMEN} $ARGS",),
        targets=("dolmen_command",),
    ),
    "soak": Row("ten minutes within a limit of resident memory; ARGS=--minutes=1", ('ARGS="$ARGS" bench/run.py soak',)),
    "load": Row(
        "ten minutes of all operations from 64 connections, then kills of servers; ARGS=--minutes=1",
        (
            'ARGS="$ARGS" bench/run.py load',
            f"tests/killed_server/kill.py {DOLMEN} --durability=sync --rounds=20",
            f"tests/killed_server/kill.py {DOLMEN} --durability=buffered --rounds=20",
        ),
        targets=("dolmen_command",),
    ),
    "large": Row("bodies of 16 MiB from 64 clients; ARGS=--clients=8", ('ARGS="$ARGS" bench/run.py large',)),
    "parsers": Row(
        "the cost of a byte of the most expensive requests; ARGS=--kind=gzip", ('ARGS="$ARGS" bench/run.py parsers',)
    ),
    "kill-languages": Row(
        "50 kills of programs in Python, Node.js and Java that write",
        (
            "for mode in sync buffered; do PYTHONPATH=build/packages/python "
            "api/bindings/python/tests/kill.py --durability=$mode || exit; done",
            "api/bindings/javascript/test.sh build/packages",  # installs the package
            "cd build/packages/javascript-test && for mode in sync buffered; do "
            "node test/kill.mjs --durability=$mode || exit; done",
            "DOLMEN_KILLS=50 api/bindings/java/test.sh build/packages -Dtest=KillTest",
        ),
        packages=("clients",),
        languages=("java", "javascript", "python"),
    ),
    "loop-languages": Row(
        "a million calls in C, Go, Java and Rust, which must not make a process grow",
        (
            "DOLMEN_STEPS=${DOLMEN_STEPS:-1000000} tests/c/loop_test.sh build/c/lib/libdolmen_c.so cc build/c-loop",
            "DOLMEN_STEPS=${DOLMEN_STEPS:-1000000} api/bindings/java/test.sh build/packages -Dtest=LifetimeTest",
            "cd build/packages/go && DOLMEN_STEPS=${DOLMEN_STEPS:-1000000} "
            "go test -timeout=1h -run CallsDoNotMakeTheProcessGrow .",
            "cd build/packages/rust && DOLMEN_STEPS=${DOLMEN_STEPS:-1000000} CARGO_TARGET_DIR=../../cargo "
            "cargo test --locked --release --all-features --test dolmen -- --nocapture grow",
        ),
        packages=("clients",),
        languages=("go", "java", "rust"),
    ),
    "fresh": Row(
        "the demo and the tests on a new Debian 12; ARGS=trixie takes Debian 13; needs Debian and root",
        ("tests/fresh_machine.sh $ARGS",),
    ),
    "store-release": Row(
        "stores a database of this version in tests/upgrade, once for each release",
        ("$RELEASE/tests/upgrade/store_release tests/upgrade",),
        targets=("store_release",),
        asked=True,
    ),
}
# The variables that make a check longer or shorter, or select a part of it. A row of the record has those
# that are set and that the commands of the check name.
VARIABLES = ("DOLMEN_STEPS", "DOLMEN_SEED", "DOLMEN_MEMBERS", "DOLMEN_BACKUP_MB", "FUZZ_SECONDS", "DEBIAN", "ARGS")
HEADER = """# The last campaign

`make campaign` runs the checks that take too long for CI and writes this page. `tests/campaign.py --check` prints the
checks that have not passed in the version of this tree.

A variable after the name of a check, such as `DOLMEN_STEPS=100`, replaces a default. A row describes the last run of a
check with these variables and any `DOLMEN_SEED`. A `+` after the commit means that the tree also contained changes that
were not committed. `make campaign HOURS=24` repeats the checks with new seeds until 24 hours are over or a check fails.
The row of a check then has the minutes of all its runs.

| Check | Date | Version | Commit | Minutes | Result |
|---|---|---|---|---|---|
"""


def git(*arguments):
    return subprocess.run(
        ("git", *arguments), cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()


def commit():
    """Returns the current commit. The suffix + marks changes other than those of the record."""
    changes = git("status", "--porcelain", "--", ".", ":!tests/campaign.md", ":!bench/results")
    return git("rev-parse", "--short", "HEAD") + ("+" if changes else "")


def version():
    """Returns the version in CMakeLists.txt."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"^project\(\w+ VERSION ([\d.]+)", text, re.M).group(1)


def key_of(line):
    """Returns the check of a row with its variables. A run replaces the row with the same key. A seed
    is no part of the key, because it only chooses other random input.
    """
    return re.sub(r" DOLMEN_SEED=\S*", "", line.split("`")[1])


def read_rows():
    """Returns the rows of the record by their keys."""
    text = RECORD.read_text(encoding="utf-8") if RECORD.exists() else ""
    return {key_of(line): line for line in text.splitlines() if line.startswith("| `")}


def line_of(check, tree, seconds, code, runs=1):
    """Returns the row of the record for a run of a check."""
    named = "DOLMEN_SEED " + " ".join(CHECKS[check].commands)
    settings = [f"{name}={os.environ[name]}" for name in VARIABLES if name in named and os.environ.get(name)]
    times = f" {runs} times" if runs > 1 else ""
    result = f"passed{times}" if code == 0 else f"failed with {code}"
    date = datetime.date.today().isoformat()
    name = " ".join([check, *settings])
    return f"| `{name}` | {date} | {version()} | {tree} | {seconds / 60:.0f} | {result} |"


def write(rows):
    names = list(CHECKS)
    keys = sorted((key for key in rows if key.split()[0] in CHECKS),
                  key=lambda key: (names.index(key.split()[0]), key))
    RECORD.write_text(HEADER + "".join(f"{rows[key]}\n" for key in keys), encoding="utf-8")


def run(check, share=False):
    """Runs a check and returns its exit status. The output goes to a log."""
    log = ROOT / "build" / "campaign" / f"{check}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    print(f"{check}: log in {log.relative_to(ROOT)}", flush=True)
    with open(log, "w", encoding="utf-8") as output:
        return CHECKS[check].run(CHECKS[check].share if share else {}, output)


def campaign(checks, hours):
    """Runs each check once, and again until the hours are over or a check fails. Records each run.
    Returns True if all runs passed.
    """
    end = time.monotonic() + hours * 3600
    tree = commit()
    rows = read_rows()
    seconds, runs, passed = collections.Counter(), collections.Counter(), True
    for turn in itertools.count():
        for check in checks:
            if turn > 0 and time.monotonic() >= end:
                return passed
            begin = time.monotonic()
            code = run(check)
            seconds[check] += time.monotonic() - begin
            runs[check] += 1
            line = line_of(check, tree, seconds[check], code, runs[check])
            print(line, flush=True)
            if not CHECKS[check].asked:
                rows[key_of(line)] = line
                write(rows)
            passed = passed and code == 0
        if not passed or time.monotonic() >= end:
            return passed


def run_shares(checks):
    """Runs a share of each check. Prints the log of a check that fails. Returns True if all passed."""
    passed = True
    for check in checks:
        begin = time.monotonic()
        code = run(check, share=True)
        print(f"{check}: {'passed' if code == 0 else f'failed with {code}'} "
              f"after {time.monotonic() - begin:.0f} s", flush=True)
        if code != 0:
            print((ROOT / "build" / "campaign" / f"{check}.log").read_text(encoding="utf-8", errors="replace"))
            passed = False
    return passed


def faults(rows):
    """Returns what the record lacks: each check must have passed in full in the version of this tree."""
    found = []
    for check in (name for name, row in CHECKS.items() if not row.asked):
        cells = [cell.strip() for cell in rows[check].split("|")] if check in rows else None
        if cells is None:
            found.append(f"{check}: no row")
        elif cells[3] != version():
            found.append(f"{check}: last run in version {cells[3]}, not {version()}")
        elif not cells[6].startswith("passed"):
            found.append(f"{check}: {cells[6]}")
        elif cells[4].endswith("+"):
            found.append(f"{check}: ran on changes that were not committed")
    return found


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=f"Checks:\n{listing(CHECKS)}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("checks", nargs="*", metavar="CHECK", help="default: all")
    parser.add_argument("--hours", type=float, default=0, help="repeat the checks for this time")
    parser.add_argument("--share", action="store_true", help="run a share of each check; record nothing")
    parser.add_argument("--check", action="store_true", help="print what the record lacks; run nothing")
    arguments = parser.parse_args()
    if arguments.check:
        found = faults(read_rows())
        print("\n".join(found) or f"Every check has passed in version {version()}.")
        return 1 if found else 0
    checks = arguments.checks or [name for name, row in CHECKS.items() if not row.asked]
    unknown = [name for name in checks if name not in CHECKS]
    if unknown:
        sys.exit(f"Unknown check: {' '.join(unknown)}. The checks are:\n{listing(CHECKS)}")
    if arguments.share:
        whole = [name for name in checks if not CHECKS[name].share]
        if whole:
            sys.exit(f"These checks have no share: {' '.join(whole)}")
        return 0 if run_shares(checks) else 1
    return 0 if campaign(checks, arguments.hours) else 1


if __name__ == "__main__":
    sys.exit(main())
