"""Draws the charts of a run with gnuplot: one SVG for each group of workloads."""

import dataclasses
import math
import shutil
import subprocess

import results

COLOURS = {
    "dolmen": "#d55e00",
    "dolmen_uncached": "#f0a875",
    "dolmen_stream": "#e69f00",
    "dolmen_encrypted": "#f0e442",
    "rocksdb": "#0072b2",
    "rocksdb_kept": "#003f63",
    "sqlite": "#56b4e9",
    "lmdb": "#999999",
    "lmdb_view": "#cccccc",
    "dynoxide": "#009e73",
}

# Sizes in pixels.
WIDTH, RIGHT = 900, 20
HEAD, BAR, AXIS = 22, 20, 68  # HEAD: between the legend and the first bar
CHARACTER = 9  # an upper bound for the average letter of a label


@dataclasses.dataclass(frozen=True)
class Panel:
    """A panel of a chart: workloads that share a scale. The unit is written below the axis."""

    workloads: tuple
    unit: str
    is_logarithmic: bool = False
    title: str = ""  # a part of the chart's title, used if the group has no title


@dataclasses.dataclass(frozen=True)
class Group:
    """A chart of one or more panels."""

    name: str
    title: str  # empty: the chart's title joins the titles of the panels that are drawn
    panels: tuple
    state: str = ""  # the state of the stores, after the number of messages
    note: str = "medians of a run; less is better"


CPU = "microseconds of CPU time"
CLOCK = "microseconds by the clock"
GROUPS = (
    Group(
        "reads",
        "Reads of rows",
        (
            Panel(
                (
                    *("point_get", "forward_50", "newest_50", "zipf_50", "older_50"),
                    *("inbox_50", "project_50"),
                ),
                CPU,
            ),
        ),
        "warm",
    ),
    Group(
        "long_reads",
        "Long reads",
        (Panel(("whole_conversation", "page_through", "filter_1000"), CPU),),
        "warm",
    ),
    Group(
        "cold_and_size",
        "",
        (
            Panel(
                tuple(results.COLD + name for name in ("point_get", "newest_50", "inbox_50")),
                "median, " + CLOCK + ", logarithmic scale",
                is_logarithmic=True,
                title="Cold reads",
            ),
            Panel(("bytes_per_message",), "bytes on disk per message", title="Size on disk"),
        ),
        "compacted",
        "less is better",
    ),
    Group(
        "writes",
        "Writes",
        (Panel(("put_message", "send_message"), CPU), Panel(("put_message_sync",), CLOCK)),
        "warm",
    ),
    Group(
        "opening",
        "Opening a database",
        (Panel(("open_memory",), CLOCK), Panel(("open_disk",), CLOCK)),
    ),
    Group(
        "mixed",
        "Mixed, by threads",
        (
            Panel(
                ("mixed threads:1", "mixed threads:2", "mixed threads:4"),
                "thousands of operations a second",
            ),
        ),
        "warm",
        "95 % newest_50, 5 % send_message; more is better",
    ),
)


def position(row):
    """Returns a key that sorts rows in the order of the charts. Rows without a chart come last."""
    drawn = [name for group in GROUPS for panel in group.panels for name in panel.workloads]
    place = drawn.index(row.workload) if row.workload in drawn else len(drawn)
    contenders = list(COLOURS)
    rank = contenders.index(row.contender) if row.contender in contenders else len(contenders)
    return place, row.workload, rank, row.contender


def can_draw():
    return shutil.which("gnuplot") is not None


def plot(script, path):
    """Runs gnuplot with the script and writes its output to `path`."""
    drawn = subprocess.run(
        ["gnuplot"], input=script, stdout=subprocess.PIPE, text=True, check=True
    )
    path.write_text(drawn.stdout, encoding="utf-8")


def draw(rows, directory, groups=GROUPS, messages=None):
    """Writes a file for each group that has rows, and returns the paths of the files.

    Removes the file that an earlier run wrote for a group that has no rows now.
    messages: the number of messages in the stores; None: the charts do not show the number.
    """
    paths = []
    for group in groups:
        path = directory / f"{group.name}.svg"
        path.unlink(missing_ok=True)
        panels = [(panel, bars) for panel in group.panels if (bars := _bars(panel, rows))]
        if not panels:
            continue
        plot(_script(group, panels, messages), path)
        paths.append(path)
    return paths


def _bars(panel, rows):
    """Returns {workload: the measured rows of the workload, in the order of COLOURS}."""
    workloads = {}
    for workload in panel.workloads:
        found = {row.contender: row for row in rows.values() if row.workload == workload}
        if chosen := [found[contender] for contender in COLOURS if contender in found]:
            workloads[workload] = chosen
    return workloads


def _value(row):
    """Returns the value of the row in the unit of the panel. Throughput is in thousands."""
    return row.value / 1000 if row.is_throughput else row.value


def _label(row):
    return results.shown(_value(row)) + ("  (noisy)" if row.is_noisy else "")


def _workload_label(workload):
    if workload == "bytes_per_message":
        return "on disk"
    return workload.removeprefix("mixed ").removeprefix(results.COLD)


def _subtitle(group, messages):
    """Returns the subtitle: number of messages, state of the stores, and the note of the group."""
    scale = ""
    if group.state and messages:
        exponent = round(math.log10(messages))
        count = f"10^{exponent}" if 10**exponent == messages else f"{messages:,}"
        scale = f"{count} messages, {group.state}; "
    return scale + group.note


def _height(bars):
    return BAR * (sum(map(len, bars.values())) + len(bars)) + AXIS


def _script(group, panels, messages):
    """Returns the gnuplot script. The panels are one below the other, each with its own axis."""
    rows = [row for _, bars in panels for found in bars.values() for row in found]
    places = _legend_places({row.contender for row in rows})
    head = HEAD + max(y for _, y in places.values())
    height = head + sum(_height(bars) for _, bars in panels)
    title = group.title or " and ".join(
        panel.title if i == 0 else panel.title[0].lower() + panel.title[1:]
        for i, (panel, _) in enumerate(panels)
    )
    labels = [_workload_label(workload) for _, bars in panels for workload in bars]
    lines = [
        f'set terminal svg size {WIDTH},{height} background "white" noenhanced '
        'font "Helvetica, Arial, sans-serif,14"',
        "set multiplot",
        f'set label 1 "{title}" at screen 0.02, screen {1 - 22 / height:.5f} font ",18"',
        f'set label 2 "{_subtitle(group, messages)}" at screen 0.02, screen {1 - 48 / height:.5f} '
        'textcolor rgb "#555555"',
        *_legend(places, height),
        "unset key",
        "set border 0",
        "set style fill solid noborder",
        f"set lmargin at screen {(24 + CHARACTER * max(map(len, labels))) / WIDTH:.5f}",
        f"set rmargin at screen {1 - RIGHT / WIDTH:.5f}",
        'set grid xtics linecolor rgb "#dddddd" linetype 1',
    ]
    top = head
    for number, (panel, bars) in enumerate(panels):
        bottom = top + _height(bars)
        lines += [
            f"set tmargin at screen {1 - top / height:.5f}",
            f"set bmargin at screen {1 - (bottom - AXIS) / height:.5f}",
        ]
        lines += _panel(panel, bars, number)
        lines += ["unset label", "unset object"]  # they belong to the whole chart
        top = bottom
    return "\n".join([*lines, "unset multiplot", ""])


def _legend_places(contenders):
    """Returns {contender: (x, y)}: where its colour is in the legend, which lies below the subtitle."""
    places, x, y = {}, 16, 74
    for contender in filter(contenders.__contains__, COLOURS):
        width = 26 + CHARACTER * len(contender)
        if x + width > WIDTH:
            x, y = 16, y + 20
        places[contender] = (x, y)
        x += width + 24
    return places


def _legend(places, height):
    """Returns the script lines of the legend."""
    lines = []
    for contender, (x, y) in places.items():
        lines += [
            f"set object rectangle from screen {x / WIDTH:.5f}, screen {1 - (y + 6) / height:.5f} "
            f"to screen {(x + 20) / WIDTH:.5f}, screen {1 - (y - 6) / height:.5f} "
            f'fillcolor rgb "{COLOURS[contender]}" fillstyle solid noborder',
            f'set label "{contender}" at screen {(x + 26) / WIDTH:.5f}, '
            f"screen {1 - y / height:.5f}",
        ]
    return lines


def _panel(panel, bars, number):
    """Returns the script lines of a panel. A gap of one bar lies between two workloads."""
    values = [_value(row) for found in bars.values() for row in found]
    low, high, ticks = 0, 1.18 * max(values), "autofreq"
    if panel.is_logarithmic:
        first = math.floor(math.log10(0.7 * min(values)))
        low, high = 10**first, (max(values) / 10**first) ** 1.18 * 10**first
        powers = [10**i for i in range(first, math.floor(math.log10(high)) + 1)]
        ticks = "(" + ", ".join(f'"{power:,g}" {power:g}' for power in powers) + ")"
    lines, tics, y = {contender: [] for contender in COLOURS}, [], 0
    for workload, found in bars.items():
        tics.append(f'"{_workload_label(workload)}" {y + (len(found) - 1) / 2}')
        for row in found:
            lines[row.contender].append(f'{y} {_value(row):.5g} "{_label(row)}"')
            y += 1
        y += 1
    shown = {contender: found for contender, found in lines.items() if found}
    plotted = []
    for contender in shown:
        data = f"$panel{number}_{contender}"
        plotted += [
            f"{data} using ({low}):1:({low}):2:($1-0.45):($1+0.45) with boxxyerror "
            f'linecolor rgb "{COLOURS[contender]}"',
            f"{data} using 2:1:3 with labels left offset 0.5,0",
        ]
    return [
        f"set ytics scale 0 ({', '.join(tics)})",
        "set logscale x" if panel.is_logarithmic else "unset logscale x",
        f'set xtics scale 0 {ticks} textcolor rgb "#555555"',
        f'set xlabel "{panel.unit}" offset 0,0.5 textcolor rgb "#555555"',
        f"set xrange [{0.999 * low:.6g}:{high:.6g}]",  # the tick at `low` lies within the range
        f"set yrange [{y - 0.5}:-0.8]",
        *(
            f"$panel{number}_{name} << END\n" + "\n".join(found) + "\nEND"
            for name, found in shown.items()
        ),
        "plot " + ", ".join(plotted),
    ]
