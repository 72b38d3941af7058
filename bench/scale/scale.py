#!/usr/bin/env python3
"""Times the points of the scale curves with dolmen_scale and writes a table and a chart."""

import argparse
import dataclasses
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "report"))

import charts  # noqa: E402  pylint: disable=wrong-import-position
import report  # noqa: E402  pylint: disable=wrong-import-position
import results  # noqa: E402  pylint: disable=wrong-import-position

SERIES = {
    "table": "items of the table, in partitions of 1,000",
    "partition": "items of each partition, a million in all",
    "item": "bytes of each item, 200 MB in all",
}
PAGES = {"forward": "page forward", "newest": "newest page"}
QUESTIONS = PAGES | {"get": "single item"}
CONTENDERS = ("dolmen", "rocksdb")
POINT_TYPES = {"forward": 7, "newest": 5, "get": 9}


@dataclasses.dataclass(frozen=True)
class Cost:
    """The median costs of a query at a point, in microseconds."""

    question: float
    row: float
    cv: float | None

    @property
    def rows(self):
        """Returns the number of rows in an answer."""
        return round(self.question / self.row)


def costs_of(document):
    """Returns the costs in the document as {(series, query, contender, size): Cost}."""
    per_row = {
        entry["run_name"]: entry["seconds_per_row"] * 1e6
        for entry in document["benchmarks"]
        if entry.get("aggregate_name") in ("median", None)
    }
    costs = {}
    for name, row in results.rows_of(document).items():
        workload, contender, size = name.split("/")
        series, question = workload.split("_")
        costs[series, question, contender, int(size)] = Cost(row.value, per_row[name], row.cv)
    return costs


def sizes_of(costs, series):
    return sorted({key[3] for key in costs if key[0] == series})


def measure(arguments):
    """Times the points of at most --max items, one process per point. Returns the document."""
    listed = subprocess.run(
        [arguments.program, "--points"], stdout=subprocess.PIPE, text=True, check=True
    )
    document = {"benchmarks": []}
    for line in listed.stdout.splitlines():
        point, items = line.split()
        if int(items) > arguments.max:
            continue
        with tempfile.TemporaryDirectory(prefix="dolmen_scale.") as name:
            out = pathlib.Path(name) / "point.json"
            command = [arguments.program, f"--point={point}", f"--benchmark_out={out}"]
            command += [f"--dir={arguments.dir}"] if arguments.dir else []
            print(f"--- {point}", flush=True)
            if subprocess.run(command, check=False).returncode != 0:
                sys.exit(f"{point} failed: nothing is recorded")
            timed = results.load(out)
        document["context"] = timed["context"]
        document["benchmarks"] += timed["benchmarks"]
    return document


def table(costs):
    """Returns one Markdown table per series. A cell shows Dolmen, RocksDB and their ratio."""
    lines = []
    for series, grows in SERIES.items():
        sizes = sizes_of(costs, series)
        if not sizes:
            continue
        lines += [f"## {series}: {grows}", ""]
        columns = [f"{shown}, us" for shown in QUESTIONS.values()]
        columns += ["rows of a page"] + [f"{shown}, us per row" for shown in PAGES.values()]
        lines.append("| | " + " | ".join(columns) + " |")
        lines.append("|---" * (len(columns) + 1) + "|")
        for size in sizes:
            cells = [_cell(costs, series, question, size, "question") for question in QUESTIONS]
            page = costs.get((series, "forward", "dolmen", size))
            cells.append(str(page.rows) if page else "")
            cells += [_cell(costs, series, question, size, "row") for question in PAGES]
            lines.append(f"| {size:,} | " + " | ".join(cells) + " |")
        lines.append("")
    return lines


def _cell(costs, series, question, size, what):
    found = [costs.get((series, question, contender, size)) for contender in CONTENDERS]
    if None in found:
        return ""
    dolmen, rocksdb = (getattr(cost, what) for cost in found)
    noisy = any(cost.cv is not None and cost.cv > 0.20 for cost in found)
    text = f"{results.shown(dolmen)} / {results.shown(rocksdb)} = {dolmen / rocksdb:.2f}"
    return text + (" (noisy)" if noisy else "")


def script(costs):
    """Returns the gnuplot script.

    Each series has two panels: one with the costs per page, one with the costs per row.
    """
    series_drawn = [series for series in SERIES if sizes_of(costs, series)]
    lines = [
        'set terminal svg size 1100,720 background "white" noenhanced '
        'font "Helvetica, Arial, sans-serif,13"',
        f"set multiplot layout 2,{len(series_drawn)} columnsfirst margins 0.05,0.98,0.20,0.88 "
        "spacing 0.05,0.14",
        'set label 1 "Cost as the data grow" at screen 0.02, screen 0.97 font ",18"',
        'set label 2 "medians of 5, microseconds of CPU time; warm and compacted; less is better"'
        ' at screen 0.25, screen 0.97 textcolor rgb "#555555"',
        "set border 3",
        "set tics nomirror",
        'set grid ytics linecolor rgb "#dddddd"',
        "set logscale x",
        "unset key",
    ]
    for series in series_drawn:
        for questions, what, unit in (
            (PAGES, "question", "us per page"),
            (QUESTIONS, "row", "us per row"),
        ):
            lines += _panel(costs, series, questions, what, unit)
            lines += ["unset label 1", "unset label 2"]
    lines += ["unset multiplot", ""]
    return "\n".join(lines)


def _panel(costs, series, questions, what, unit):
    """Returns the lines of a panel. Costs per row and the series `item` have logarithmic axes."""
    lines, curves = [], []
    sizes = sizes_of(costs, series)
    for question in questions:
        for contender in CONTENDERS:
            points = [
                f"{size} {getattr(costs[key], what):.5g}"
                for size in sizes
                if (key := (series, question, contender, size)) in costs
            ]
            if not points:
                continue
            data = f"${series}_{what}_{question}_{contender}"
            lines += [f"{data} << END", *points, "END"]
            curves.append(
                f"{data} using 1:2 with linespoints linewidth 2 pointsize 0.7 "
                f'pointtype {POINT_TYPES[question]} linecolor rgb "{charts.COLOURS[contender]}" '
                f'dashtype {1 if question != "newest" else 2} '
                f'title "{questions[question]}, {contender}"'
            )
    low, high = min(sizes), max(sizes)
    logarithmic = series == "item" or what == "row"
    return lines + [
        f'set title "{unit}" font ",13"',
        f'set xlabel "{SERIES[series]}"',
        f"set xtics ({', '.join(f'{chr(34)}{size:,}{chr(34)} {size}' for size in sizes)})",
        f"set xrange [{low / 1.5}:{high * 1.5}]",
        "set logscale y" if logarithmic else "unset logscale y",
        "set yrange [*:*]" if logarithmic else "set yrange [0:*]",
        "set key at screen 0.5, screen 0.02 center bottom vertical maxrows 2 width 4"
        if what == "row" and series == "table"
        else "unset key",
        "plot " + ", ".join(curves),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="dolmen_scale, built for release, or a recorded run (JSON)")
    parser.add_argument("--max", type=int, default=10_000_000, help="items of the largest point")
    parser.add_argument("--dir", help="directory for the data; default: the program's directory")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="directory for the results")
    arguments = parser.parse_args()
    if arguments.program.endswith(".json"):
        document = json.loads(pathlib.Path(arguments.program).read_text(encoding="utf-8"))
    else:
        document = measure(arguments)
    if not document["benchmarks"]:
        sys.exit("no point was timed: --max is below the smallest point")
    arguments.out.mkdir(parents=True, exist_ok=True)
    report.record(document, arguments.out / "scale.json")
    costs = costs_of(document)
    head = [
        "# Cost as the data grow",
        "",
        "`make bench BENCH=scale` writes this page. Medians of 5, microseconds of CPU time: "
        "`dolmen` / `rocksdb` = ratio.",
        "[`../scale/README.md`](../scale/README.md) explains the curves.",
        "",
    ]
    (arguments.out / "scale.md").write_text("\n".join(head + table(costs)), encoding="utf-8")
    print((arguments.out / "scale.md").read_text(encoding="utf-8"))
    if not charts.can_draw():
        print("the chart was not drawn: install gnuplot", file=sys.stderr)
        return
    charts.plot(script(costs), arguments.out / "scale.svg")


if __name__ == "__main__":
    main()
