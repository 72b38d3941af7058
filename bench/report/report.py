#!/usr/bin/env python3
"""Reports a run of dolmen_bench: medians, ratios, targets and charts."""

import argparse
import json
import pathlib
import sys

import charts
import limits
import results

TARGETS = pathlib.Path(__file__).with_name("targets.txt")
UNIT = results.Row("us", 1.0)  # the baseline of targets for absolute values
# Keys of the context that identify the machine. They are not recorded.
PRIVATE = ("host_name", "executable", "load_avg")
# Keys of google-benchmark's context that only the recorded JSON file contains. The printed report
# leaves them out, because they do not help a reader.
UNTOLD = ("mhz_per_cpu", "cpu_scaling_enabled", "caches", "library_build_type")


def head(document):
    """Returns the lines that name the machine, the versions and the sizes of the data."""
    lines = [
        f"{key:20} {value}"
        for key, value in document["context"].items()
        if key not in PRIVATE + UNTOLD and not key.startswith(results.ON_DISK)
    ]
    sizes = results.sizes_of(document).values()
    return lines + [f"{'bytes per message':20} {row.contender} {row.value:.1f}" for row in sizes]


def table(rows):
    """Returns a line for each row, with the ratio of Dolmen's figure to the row's figure."""
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
    """Returns a line for each target whose rows were measured.

    The last line counts the targets that hold and the targets that were not measured.
    """
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
    """Writes the medians and variations of a run, one per line, in google-benchmark's format."""
    context = {key: value for key, value in document["context"].items() if key not in PRIVATE}
    kept = [e for e in document["benchmarks"] if e.get("aggregate_name") in ("median", "cv")]
    path.write_text(
        f'{{"context": {json.dumps(context, indent=1)},\n"benchmarks": [\n'
        + ",\n".join(json.dumps(entry) for entry in kept or document["benchmarks"])
        + "\n]}\n",
        encoding="utf-8",
    )


def load_cold(path, document):
    """Returns the run with --cold from the file `path`, or None if the file does not exist.

    Raises ValueError if a row failed, or if the number of messages differs from `document`.
    """
    if not path.exists():
        return None
    cold = results.load(path)
    if cold["context"]["messages"] != document["context"]["messages"]:
        raise ValueError(f"{path} is a run with another number of messages")
    return cold


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "json",
        type=pathlib.Path,
        help="the file that --benchmark_out wrote; cold.json beside it is the run with --cold",
    )
    parser.add_argument("--out", type=pathlib.Path, help="directory for charts and recorded runs")
    parser.add_argument("--targets", default=TARGETS, help="default: targets.txt")
    arguments = parser.parse_args()
    try:
        document = results.load(arguments.json)
        cold = load_cold(arguments.json.with_name("cold.json"), document)
    except (OSError, ValueError) as failure:
        sys.exit(f"no report: {failure}")
    rows = results.rows_of(document)
    if cold is not None:
        rows |= results.cold_rows_of(cold)
    sizes = results.sizes_of(document)
    targets = limits.read(arguments.targets)
    sections = [
        head(document),
        table(rows),
        verdicts(rows | sizes | {UNIT.name: UNIT}, targets),
    ]
    print("\n\n".join("\n".join(section) for section in sections))
    if arguments.out is None:
        return
    arguments.out.mkdir(parents=True, exist_ok=True)
    record(document, arguments.out / "results.json")
    if cold is not None:
        record(cold, arguments.out / "cold.json")
    if not charts.can_draw():
        print("no charts were drawn: install gnuplot", file=sys.stderr)
        return
    messages = int(document["context"]["messages"])
    for path in charts.draw(rows | sizes, arguments.out, messages=messages):
        print(f"drawn: {path}")


if __name__ == "__main__":
    main()
