#!/usr/bin/env python3
"""Counts the instructions of benchmark rows with callgrind. Fails if a row exceeds its limit.

Unlike times, counts do not depend on the load of the machine. They depend on processor, compiler
and libc, so limits apply to ratios within a run.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import limits
import results

LIMITS = pathlib.Path(__file__).with_name("instructions.txt")
# The timer runs from a call of ResumeTiming to the next call of PauseTiming. google-benchmark
# itself calls ResumeTiming before the first iteration, and FinishKeepRunning at the end of a row.
# At each of these calls callgrind writes a dump with the instructions since the previous dump. The
# timed instructions are therefore in the dumps that are written at PAUSE and at FINISH.
RESUME = "benchmark::State::ResumeTiming()"
PAUSE = "benchmark::State::PauseTiming()"
FINISH = "benchmark::State::FinishKeepRunning()"
# callgrind counts only inside the function Time() of a contender. It leaves out the background
# threads, because their work differs between runs.
TIMED = "*Time(benchmark::State&)"


def command(arguments, names, directory):
    rows = "|".join(sorted(names))
    return [
        "valgrind",
        "--tool=callgrind",
        f"--log-file={directory / 'valgrind.log'}",
        f"--callgrind-out-file={directory / 'dump'}",
        f"--toggle-collect={TIMED}",
        f"--dump-after={RESUME}",
        f"--dump-before={PAUSE}",
        f"--dump-before={FINISH}",
        arguments.bench,
        f"--dir={directory}",
        "--scale=10000",
        f"--iterations={arguments.iterations}",
        "--benchmark_repetitions=1",
        "--benchmark_enable_random_interleaving=false",
        f"--benchmark_filter=^({rows})(/|$)",  # the name, or the name and /iterations:N
        f"--benchmark_out={directory / 'rows.json'}",
        "--benchmark_out_format=json",
    ]


def counted(dumps):
    """Returns the number of timed CPU instructions of each row. `dumps` are texts of callgrind's files."""
    counts, count = [], 0
    for dump in dumps:
        trigger = re.search(r"^desc: Trigger: --dump-before=(.+)$", dump, re.MULTILINE)
        if trigger is None:
            continue
        count += int(re.search(r"^totals: (\d+)", dump, re.MULTILINE)[1])
        if trigger[1] == FINISH:
            counts.append(count)
            count = 0
    return counts


def dumps_in(directory):
    numbered = {int(path.suffix[1:]): path for path in directory.glob("dump.*")}
    return [path.read_text(encoding="utf-8") for _, path in sorted(numbered.items())]


def measure(arguments, names):
    """Returns {name of a row: instructions per iteration} for the rows in `names`."""
    with tempfile.TemporaryDirectory(prefix="dolmen_instructions.") as name:
        directory = pathlib.Path(name)
        run = subprocess.run(
            command(arguments, names, directory),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if run.returncode != 0:
            sys.exit(f"{run.stdout}\ndolmen_bench failed: nothing was counted")
        document = json.loads((directory / "rows.json").read_text(encoding="utf-8"))
        rows = [results.canonical(entry["run_name"]) for entry in document["benchmarks"]]
        counts = counted(dumps_in(directory))
    if len(counts) != len(rows) or not all(counts):
        sys.exit(f"callgrind gave the counts {counts} for the rows {rows}: expected one each")
    return {row: count / arguments.iterations for row, count in zip(rows, counts)}


def measure_each_row(arguments, names):
    """Returns {name: instructions per iteration}. Each row has its own process: the cost of a write
    depends on the shape of RocksDB's skip list, and this on the writes before it in the process."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as processes:
        counts = processes.map(lambda name: measure(arguments, [name]), names)
        return {row: count for counted_row in counts for row, count in counted_row.items()}


def judged(all_limits, counts):
    """Returns the lines of the report, and True if all rows were counted and all limits hold."""
    lines = [f"{'row':28} {'instructions':>12} {'ratio':>7}  limit"]
    right = True
    for limit in all_limits:
        ratio = limit.ratio(counts)
        holds = ratio is not None and limit.holds(ratio)
        right = right and holds
        count = f"{counts[limit.row]:,.0f}" if limit.row in counts else "not counted"
        shown = "" if ratio is None else f"{ratio:.3f}"
        verdict = "" if holds else "  EXCEEDED" if ratio else "  NOT COUNTED"
        lines.append(f"{limit.row:28} {count:>12} {shown:>7}  {limit}{verdict}")
    return lines, right


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bench", help="the program, built for release")
    parser.add_argument("--iterations", type=int, default=200)
    parser.add_argument("--limits", default=LIMITS, help="default: instructions.txt")
    arguments = parser.parse_args()
    all_limits = limits.read(arguments.limits)
    names = {name for limit in all_limits for name in (limit.row, limit.baseline)}
    counts = measure_each_row(arguments, names)
    lines, right = judged(all_limits, counts)
    print("\n".join(lines))
    if not right:
        sys.exit("a row exceeds its limit or was not counted: see bench/NOTES.md")


if __name__ == "__main__":
    main()
