#!/usr/bin/env python3
"""Runs dolmen_soak and draws its record: resident memory over time, and the limit."""

import argparse
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "report"))

import charts  # noqa: E402  pylint: disable=wrong-import-position

MEGABYTE = 1 << 20
# The curves: each has a field of the samples, a title and a colour.
CURVES = (
    ("anonymous_bytes_max", "anonymous, maximum of ten seconds", charts.COLOURS["dolmen"]),
    ("allocated_bytes", "allocated part of it", charts.COLOURS["rocksdb"]),
    ("resident_bytes", "resident, with mapped files", charts.COLOURS["lmdb"]),
)


def limit_of(document):
    return sum(document["limit_bytes"].values())


def script(document):
    samples = document["samples"]
    limit = limit_of(document) / MEGABYTE
    cache = document["limit_bytes"]["cache"] / MEGABYTE
    most = max(sample["resident_bytes"] for sample in samples) / MEGABYTE
    title = f"{document['context']['messages']:,} messages, a cache of {cache:.0f} MB"
    lines = [
        'set terminal svg size 800,420 background "white" noenhanced '
        'font "Helvetica, Arial, sans-serif,14"',
        'set label 1 "Resident memory under mixed" at screen 0.02, screen 0.95 font ",18"',
        f'set label 2 "{title}; MB over minutes" at screen 0.02, screen 0.89 '
        'textcolor rgb "#555555"',
        "set key bottom right",
        "set border 3",
        "set tics nomirror",
        "set tmargin 5",
        f"set xrange [0:{samples[-1]['seconds'] / 60:.3f}]",
        f"set yrange [0:{1.15 * max(limit, most):.1f}]",
    ]
    for y, name, up in ((limit, "limit", 0.6), (cache, "cache", -0.7)):
        lines.append(
            f"set arrow from graph 0, first {y:.1f} to graph 1, first {y:.1f} nohead dashtype 2"
        )
        lines.append(f'set label "{name}, {y:.0f} MB" at graph 0.01, first {y:.1f} offset 0,{up}')
    for field, _, _ in CURVES:
        points = [f"{s['seconds'] / 60:.3f} {s[field] / MEGABYTE:.2f}" for s in samples]
        lines += [f"${field} << END", *points, "END"]
    plotted = (
        f'${field} using 1:2 with lines linewidth 2 linecolor rgb "{colour}" title "{title}"'
        for field, title, colour in CURVES
    )
    return "\n".join([*lines, "plot " + ", ".join(plotted), ""])


def measure(program, rest, out):
    """Runs the soak, which writes the samples to `out`. Returns False if it exits with an error.

    The soak exits with an error if its memory exceeded the limit or if an operation failed.
    """
    out.unlink(missing_ok=True)
    ended = subprocess.run([program, *rest, f"--out={out}"], check=False)
    if not out.exists():
        sys.exit("the soak failed: nothing was recorded")
    return ended.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="dolmen_soak, built for release, or a recorded run (JSON)")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="directory for the results")
    arguments, rest = parser.parse_known_args()  # the program gets the other arguments
    arguments.out.mkdir(parents=True, exist_ok=True)
    recorded = arguments.out / "soak.json"
    held = True
    if arguments.program.endswith(".json"):
        recorded = pathlib.Path(arguments.program)
    else:
        held = measure(arguments.program, rest, recorded)
    document = json.loads(recorded.read_text(encoding="utf-8"))
    if charts.can_draw():
        charts.plot(script(document), arguments.out / "soak.svg")
    else:
        print("the chart was not drawn: install gnuplot", file=sys.stderr)
    sys.exit(0 if held else 1)


if __name__ == "__main__":
    main()
