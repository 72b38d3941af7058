#!/usr/bin/env python3
"""What a run of dolmen_bench says: medians, ratios, targets and charts."""

import argparse
import json
import pathlib
import sys

import charts
import limits
import results

TARGETS = pathlib.Path(__file__).with_name("targets.txt")
# Of the head, what is the machine's own affair, and what says nothing.
PRIVATE = ("host_name", "executable", "load_avg")
UNTOLD = ("mhz_per_cpu", "cpu_scaling_enabled", "caches", "library_build_type")


def head(document):
    """On what it was measured."""
    lines = [
        f"{key:20} {value}"
        for key, value in document["context"].items()
        if key not in PRIVATE + UNTOLD and not key.startswith(results.ON_DISK)
    ]
    sizes = results.sizes_of(document).values()
    return lines + [f"{'bytes per message':20} {row.contender} {row.value:.1f}" for row in sizes]


def table(rows):
    """A line for each row, and how Dolmen's compares with it."""
    lines = [f"{'workload':20} {'contender':18} {'median':>12}      {'cv':>6}  dolmen is"]
    ordered = sorted(rows.values(), key=charts.position)
    for workload in dict.fromkeys(row.workload for row in ordered):
        found = [row for row in ordered if row.workload == workload]
        dolmen = next((row for row in found if row.contender == "dolmen"), None)
        shown = workload
        for row in found:
            lines.append(f"{shown:20} {_line(row, dolmen)}".rstrip())
            shown = ""
    return lines


def _line(row, dolmen):
    unit = "/s" if row.is_throughput else "us"
    cv = "" if row.cv is None else f"{row.cv:.1%}"
    ratio = ""
    if dolmen is not None and not row.contender.startswith("dolmen"):
        ratio = f"{dolmen.value / row.value:.2f} x"
    noisy = "noisy" if row.is_noisy else ""
    return f"{row.contender:18} {results.shown(row.value):>12} {unit}  {cv:>7}  {ratio:8} {noisy}"


def verdicts(rows, targets):
    """A line for each target whose rows were measured, and a last one that counts."""
    lines, held, unmeasured = [], 0, 0
    values = {name: row.value for name, row in rows.items()}
    for target in targets:
        ratio = target.ratio(values)
        if ratio is None:
            unmeasured += 1
            continue
        held += target.holds(ratio)
        verdict = "holds" if target.holds(ratio) else "MISSED"
        noisy = "noisy" if rows[target.row].is_noisy or rows[target.baseline].is_noisy else ""
        lines.append(f"{verdict:7} {target.row:28} {ratio:6.3f}  {target}  {noisy}".rstrip())
    measured = len(targets) - unmeasured
    lines.append(f"{held} of {measured} targets hold; {unmeasured} were not measured")
    return lines


def record(document, path):
    """Keeps what rows_of() reads, a line for each, as google-benchmark's own tools read it."""
    context = {key: value for key, value in document["context"].items() if key not in PRIVATE}
    kept = [e for e in document["benchmarks"] if e.get("aggregate_name") in ("median", "cv")]
    path.write_text(
        f'{{"context": {json.dumps(context, indent=1)},\n"benchmarks": [\n'
        + ",\n".join(json.dumps(entry) for entry in kept or document["benchmarks"])
        + "\n]}\n",
        encoding="utf-8",
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("json", help="what --benchmark_out wrote")
    parser.add_argument("--out", type=pathlib.Path, help="where charts and a copy of the run go")
    parser.add_argument("--targets", default=TARGETS, help="targets.txt if not given")
    arguments = parser.parse_args()
    try:
        document = results.load(arguments.json)
    except (OSError, ValueError) as failure:
        sys.exit(f"no report: {failure}")
    rows = results.rows_of(document)
    targets = limits.read(arguments.targets)
    sections = [
        head(document),
        table(rows),
        verdicts(rows | results.sizes_of(document), targets),
    ]
    print("\n\n".join("\n".join(section) for section in sections))
    if arguments.out is None:
        return
    arguments.out.mkdir(parents=True, exist_ok=True)
    record(document, arguments.out / "results.json")
    if not charts.can_draw():
        print("no gnuplot: the charts were NOT drawn", file=sys.stderr)
        return
    for path in charts.draw(rows, arguments.out):
        print(f"drawn: {path}")


if __name__ == "__main__":
    main()
