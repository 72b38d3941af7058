"""Rows of a run, read from the JSON that google-benchmark writes."""

import dataclasses
import json
import re
import statistics

MICROSECONDS = {"ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6}
ON_DISK = "bytes_on_disk_"  # followed by the name of a store; a key of the context
COLD = "cold_"  # begins the names of rows that were timed with --cold
# Suffixes that google-benchmark appends to the name of a row. The reports remove them, because no
# two rows differ only in these suffixes.
DECORATION = re.compile(r"/(real_time|process_time|manual_time|iterations:\d+|repeats:\d+)(?=/|$)")


@dataclasses.dataclass(frozen=True)
class Row:
    """The figure of one contender in one workload."""

    name: str  # "<workload>/<contender>", and "/threads:N" if several threads run it
    value: float  # median of the repetitions: microseconds per iteration, or items per second
    cv: float | None = None  # standard deviation divided by mean; None: a single repetition

    @property
    def workload(self):
        """Returns workload and number of threads. If both are equal, two rows are comparable."""
        parts = self.name.split("/")
        return " ".join([parts[0], *parts[2:]])

    @property
    def contender(self):
        return self.name.split("/")[1]

    @property
    def is_throughput(self):
        return "/threads:" in self.name

    @property
    def is_noisy(self):
        return self.cv is not None and self.cv > 0.20


def canonical(name):
    return DECORATION.sub("", name)


def load(path):
    """Returns the JSON document. Raises ValueError if a row failed."""
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    for entry in document["benchmarks"]:
        if entry.get("error_occurred"):
            raise ValueError(f"{entry['run_name']}: {entry.get('error_message')}")
    return document


def measured_or_recorded(arguments, measure, name):
    """If `program` is a JSON file, returns the run in it. Otherwise measures and records a run."""
    arguments.out.mkdir(parents=True, exist_ok=True)
    if arguments.program.endswith(".json"):
        with open(arguments.program, encoding="utf-8") as file:
            return json.load(file)
    document = measure(arguments)
    (arguments.out / name).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return document


def rows_of(document):
    """Returns {name: Row} in the order of the run."""
    medians, variations, repetitions = {}, {}, {}
    for entry in document["benchmarks"]:
        name = canonical(entry["run_name"])
        aggregate = entry.get("aggregate_name")
        if aggregate == "median":
            medians[name] = _value(entry, MICROSECONDS[entry["time_unit"]])
        elif aggregate == "cv":
            variations[name] = _value(entry, 1.0)
        elif aggregate is None:
            repetitions.setdefault(name, []).append(
                _value(entry, MICROSECONDS[entry["time_unit"]])
            )
    for name, values in repetitions.items():
        medians.setdefault(name, statistics.median(values))
    return {name: Row(name, value, variations.get(name)) for name, value in medians.items()}


def _value(entry, unit):
    if "/threads:" in entry["run_name"]:
        return entry["items_per_second"]
    time = "real_time" if "/real_time" in entry["run_name"] else "cpu_time"
    return entry[time] * unit


def cold_rows_of(document):
    """Returns the rows of a run with --cold. The names of the rows begin with COLD."""
    return {
        COLD + name: dataclasses.replace(row, name=COLD + name)
        for name, row in rows_of(document).items()
    }


def sizes_of(document):
    """Returns one row bytes_per_message/<store> per store: bytes on disk per message."""
    context = document["context"]
    sizes = {
        "bytes_per_message/" + key.removeprefix(ON_DISK): int(value) / int(context["messages"])
        for key, value in context.items()
        if key.startswith(ON_DISK)
    }
    return {name: Row(name, size) for name, size in sizes.items()}


def shown(value):
    """Formats a figure with about three digits. Further digits are noise."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.{1 if value >= 10 else 2}f}"
