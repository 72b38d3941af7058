#!/usr/bin/env python3
"""Runs the checks that take too long for CI, and records their results in tests/campaign.md."""

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

ROOT = pathlib.Path(__file__).resolve().parents[1]
RECORD = ROOT / "tests" / "campaign.md"
CHECKS = (
    "test-clients",
    "differential",
    "remote-local",
    "model",
    "crash",
    "evolution",
    "fuzz",
    "damage",
    "faults",
    "network",
    "simulate",
    "backup",
    "encrypted",
    "soak",
    "load",
    "copy",
    "large",
    "c-loop",
    "python-kill",
    "javascript-test",
    "javascript-kill",
    "go-test",
    "java-test",
    "java-kill",
    "rust-test",
    "rust-loop",
)
# The variables of the environment that make a check longer or shorter than its default, or select a
# part of it.
SETTINGS = {
    "test-clients": ("CLIENTS", "IN_PROCESS"),
    "differential": ("CASES", "DOLMEN_SEED", "WIRE", "PARTIQL"),
    "remote-local": ("FOLDERS",),
    "model": ("DOLMEN_STEPS", "DOLMEN_SEED"),
    "crash": ("DOLMEN_STEPS", "DOLMEN_SEED"),
    "evolution": ("DOLMEN_STEPS", "DOLMEN_MEMBERS", "DOLMEN_SEED"),
    "faults": ("DOLMEN_STEPS", "DOLMEN_SEED"),
    "network": ("DOLMEN_STEPS", "DOLMEN_SEED"),
    "simulate": ("DOLMEN_STEPS", "DOLMEN_SEED"),
    "backup": ("DOLMEN_STEPS", "DOLMEN_BACKUP_MB", "DOLMEN_SEED"),
    "encrypted": (),
    "fuzz": ("FUZZ_SECONDS", "FUZZ_TARGETS"),
    "damage": ("DAMAGES", "BITS", "DOLMEN_SEED"),
    "soak": ("SOAK_ARGS",),
    "load": ("LOAD_ARGS",),
    "copy": ("COPY_ARGS", "DOLMEN_SEED"),
    "large": ("LARGE_ARGS",),
    "c-loop": ("DOLMEN_STEPS",),
    "python-kill": ("DOLMEN_SEED",),
    "javascript-test": (),
    "javascript-kill": ("DOLMEN_SEED",),
    "go-test": ("GO_ARGS",),
    "java-test": ("JAVA_ARGS", "DOLMEN_STEPS"),
    "java-kill": ("DOLMEN_SEED",),
    "rust-test": ("RUST_ARGS",),
    "rust-loop": ("DOLMEN_STEPS",),
}
HEADER = """# The last campaign

`make campaign` runs the checks that take too long for CI and writes this page. A variable after the name of a check,
such as `FUZZ_SECONDS=60`, replaces a default. A row describes the last run of a check with these variables and any
`DOLMEN_SEED`. A `+` after the commit means that the tree also contained changes that were not committed. `make campaign
HOURS=24` repeats the checks with new seeds until 24 hours are over or a check fails. The row of a check then has the
minutes of all its runs.

| Check | Date | Commit | Minutes | Result |
|---|---|---|---|---|
"""


def git(*arguments):
    return subprocess.run(
        ("git", *arguments), cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()


def commit():
    """Returns the current commit. The suffix + marks changes other than those of the record."""
    changes = git("status", "--porcelain", "--", ".", ":!tests/campaign.md", ":!bench/results")
    return git("rev-parse", "--short", "HEAD") + ("+" if changes else "")


def key_of(line):
    """Returns the check of a row with its variables. A run replaces the row with the same key. A seed
    is no part of the key, because it only chooses other random input.
    """
    return re.sub(r" DOLMEN_SEED=\S*", "", line.split("`")[1].removeprefix("make "))


def read_rows(text):
    """Returns the rows of a record by their keys."""
    return {key_of(line): line for line in text.splitlines() if line.startswith("| `make ")}


def command(check):
    """Returns the command of a check with the settings of the environment, for example
    `make fuzz FUZZ_SECONDS=60`.
    """
    settings = [f"{name}={os.environ[name]}" for name in SETTINGS[check] if os.environ.get(name)]
    return " ".join(["make", check, *settings])


def row(check, version, seconds, code, runs=1):
    times = f" {runs} times" if runs > 1 else ""
    result = f"passed{times}" if code == 0 else f"failed with {code}"
    date = datetime.date.today().isoformat()
    return f"| `{command(check)}` | {date} | {version} | {seconds / 60:.0f} | {result} |"


def write(rows):
    keys = sorted(rows, key=lambda key: (CHECKS.index(key.split()[0]), key))
    lines = [rows[key] for key in keys]
    RECORD.write_text(HEADER + "".join(f"{line}\n" for line in lines), encoding="utf-8")


def run(check):
    """Runs a check and returns its exit status. The output goes to a log."""
    log = ROOT / "build" / "campaign" / f"{check}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    print(f"make {check}: log in {log.relative_to(ROOT)}", flush=True)
    with open(log, "wb") as output:
        return subprocess.run(
            ("make", check), cwd=ROOT, check=False, stdout=output, stderr=subprocess.STDOUT
        ).returncode


def campaign(checks, hours):
    """Runs each check once, and again until the hours are over or a check fails. Records each run.
    Returns True if all runs passed.
    """
    end = time.monotonic() + hours * 3600
    version = commit()
    rows = read_rows(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    seconds, runs, passed = collections.Counter(), collections.Counter(), True
    for turn in itertools.count():
        for check in checks:
            if turn > 0 and time.monotonic() >= end:
                return passed
            begin = time.monotonic()
            code = run(check)
            seconds[check] += time.monotonic() - begin
            runs[check] += 1
            line = row(check, version, seconds[check], code, runs[check])
            rows[key_of(line)] = line
            print(line, flush=True)
            write(rows)
            passed = passed and code == 0
        if not passed or time.monotonic() >= end:
            return passed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checks", nargs="*", help=f"of {' '.join(CHECKS)} (default: all)")
    parser.add_argument("--hours", type=float, default=0, help="repeat the checks for this time")
    arguments = parser.parse_args()
    checks = arguments.checks or CHECKS
    unknown = set(checks) - set(CHECKS)
    if unknown:
        sys.exit(f"Unknown check: {' '.join(sorted(unknown))}; use one of {' '.join(CHECKS)}")
    return 0 if campaign(checks, arguments.hours) else 1


if __name__ == "__main__":
    sys.exit(main())
