"""Draws a run: one SVG for each group of workloads, with gnuplot."""

import dataclasses
import shutil
import subprocess

import results

COLOURS = {
    "dolmen": "#d55e00",
    "dolmen_stream": "#e69f00",
    "rocksdb": "#0072b2",
    "rocksdb_kept": "#003f63",
    "sqlite": "#56b4e9",
    "lmdb": "#999999",
    "dynoxide": "#009e73",
    "dynamodb_local": "#cc79a7",
}


@dataclasses.dataclass(frozen=True)
class Group:
    """One chart.  The workloads of a panel share a scale."""

    name: str
    title: str
    panels: tuple
    unit: str = "median of a run, microseconds; less is better"


GROUPS = (
    Group(
        "reads",
        "Reads of rows",
        (("point_get", "forward_50", "newest_50", "older_50", "inbox_50", "project_50"),),
    ),
    Group("long_reads", "Long reads", (("whole_conversation", "page_through", "filter_1000"),)),
    Group("writes", "Writes", (("put_message", "send_message"), ("put_message_sync",))),
    Group("opening", "Opening a database", (("open_memory",), ("open_disk",))),
    Group(
        "mixed",
        "Mixed, by threads",
        (("mixed threads:1", "mixed threads:2", "mixed threads:4"),),
        "95 % newest_50, 5 % send_message, in thousands of operations a second; more is better",
    ),
)


def position(row):
    """Sorts rows as the charts have them, and behind them those that are on none."""
    drawn = [workload for group in GROUPS for panel in group.panels for workload in panel]
    place = drawn.index(row.workload) if row.workload in drawn else len(drawn)
    contenders = list(COLOURS)
    rank = contenders.index(row.contender) if row.contender in contenders else len(contenders)
    return place, row.workload, rank, row.contender


def can_draw():
    return shutil.which("gnuplot") is not None


def plot(script, path):
    """Writes what gnuplot makes of the script."""
    drawn = subprocess.run(
        ["gnuplot"], input=script, stdout=subprocess.PIPE, text=True, check=True
    )
    path.write_text(drawn.stdout, encoding="utf-8")


def draw(rows, directory, groups=GROUPS):
    """Writes a file for each group of which there are rows, and returns their paths.

    What an earlier run has left of the other groups is removed.
    """
    paths = []
    for group in groups:
        path = directory / f"{group.name}.svg"
        path.unlink(missing_ok=True)
        panels = [present for panel in group.panels if (present := _bars(panel, rows))]
        if not panels:
            continue
        plot(_script(group, panels), path)
        paths.append(path)
    return paths


def _bars(panel, rows):
    """{workload: its rows}, in the order of the colours, of what was measured."""
    workloads = {}
    for workload in panel:
        found = {row.contender: row for row in rows.values() if row.workload == workload}
        if chosen := [found[contender] for contender in COLOURS if contender in found]:
            workloads[workload] = chosen
    return workloads


def _label(row):
    """A throughput in thousands, as its group's unit has it."""
    value = results.shown(row.value / 1000 if row.is_throughput else row.value)
    return value + ("  (noisy)" if row.is_noisy else "")


def _script(group, panels):
    """Bars lie one unit apart, workloads another.  A panel's longest bar has the length 1."""
    bars = {contender: [] for contender in COLOURS}
    tics = []
    y = 0
    for panel in panels:
        longest = max(row.value for found in panel.values() for row in found)
        for workload, found in panel.items():
            tics.append(f'"{workload.removeprefix("mixed ")}" {y + (len(found) - 1) / 2}')
            for row in found:
                bars[row.contender].append(f'{y} {row.value / longest:.4f} "{_label(row)}"')
                y += 1
            y += 1
    shown = {contender: lines for contender, lines in bars.items() if lines}
    scales = "; a scale for each" if len(panels) > 1 and len(tics) == len(panels) else ""
    if len(panels) > 1 and not scales:
        scales = "; " + ", ".join(panels[-1]) + " to a scale of its own"
    return "\n".join(
        [
            f'set terminal svg size 800,{90 + 20 * y} background "white" noenhanced '
            'font "Helvetica, Arial, sans-serif,14"',
            f'set label 1 "{group.title}" at screen 0.02, graph 1 offset 0, 3.0 font ",18"',
            f'set label 2 "{group.unit}{scales}" at screen 0.02, graph 1 offset 0, 1.6 '
            'textcolor rgb "#555555"',
            "set key outside above right horizontal samplen 1",
            "set border 0",
            "unset xtics",
            f"set ytics scale 0 ({', '.join(tics)})",
            f"set xrange [0:1.18]; set yrange [{y - 1}:-1]",
            f"set lmargin {4 + max(len(tic.split(chr(34))[1]) for tic in tics)}; set tmargin 4",
            "set style fill solid noborder",
            *(f"${name} << END\n" + "\n".join(lines) + "\nEND" for name, lines in shown.items()),
            "plot "
            + ", ".join(
                f"${name} using (0):1:(0):2:($1-0.45):($1+0.45) with boxxyerror "
                f'linecolor rgb "{COLOURS[name]}" title "{name}", '
                f"${name} using 2:1:3 with labels left offset 0.5,0 notitle"
                for name in shown
            ),
            "",
        ]
    )
