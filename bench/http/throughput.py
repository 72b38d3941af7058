#!/usr/bin/env python3
"""Measures Dolmen and other servers over HTTP: requests per second and use of resources."""

import argparse
import contextlib
import dataclasses
import datetime
import os
import pathlib
import random
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "report"))

# pylint: disable=wrong-import-position
import answers  # noqa: E402
import chat_data  # noqa: E402
import charts  # noqa: E402
import limits  # noqa: E402
import report  # noqa: E402
import results  # noqa: E402
import servers  # noqa: E402
import wrk  # noqa: E402
from client import Client  # noqa: E402

TARGETS = pathlib.Path(__file__).with_name("targets.txt")
REQUESTS = 4000  # different requests per workload
CHECKED = 100  # requests whose answers are checked before the timing
UNITS = {"ms": 1.0, "MiB": 1.0}  # baselines of targets for absolute values
FOOTPRINT = {
    "first_answer": "first answer, ms",
    "first_answer_cpu": "CPU time of all threads until then, ms",
    "idle_memory": "idle memory, MiB",
    "size": "size, MiB",
}
GROUP = charts.Group(
    "http",
    "Requests over HTTP",
    tuple(
        charts.Panel((workload,), "thousands of requests a second")
        for workload in [*chat_data.READS, *chat_data.WRITES]
    ),
    note="medians of the rounds; more is better",
)


@dataclasses.dataclass(frozen=True)
class Rate(results.Row):
    """A measured rate in requests per second, with latencies."""

    p50_us: float = 0.0
    p99_us: float = 0.0

    @property
    def is_throughput(self):
        return True


def footprint(peers, port, starts):
    """Starts each server `starts` times. Returns {name of a row: values in the row's unit}."""
    peers = [peer for peer in peers if isinstance(peer, servers.Peer)]
    found = {f"size/{peer.name}": [peer.installed_bytes() / servers.MEGABYTE] for peer in peers}
    for _ in range(starts):
        for peer in peers:
            with peer.start(port) as server:
                answered = server.wait_until_it_answers()
                cpu = server.cpu_seconds()
                time.sleep(0.2)  # the server may still work after its first answer
                resident = server.resident_bytes()
            for row, value in (
                ("first_answer", 1000 * answered),
                ("first_answer_cpu", 1000 * cpu),
                ("idle_memory", resident / servers.MEGABYTE),
            ):
                found.setdefault(f"{row}/{peer.name}", []).append(value)
    return found


class Comparison:
    """Running servers with equal data, and the runs of wrk that measured them.

    `runs` is {name of a row of the report: [Run]}.
    """

    def __init__(self, running, tool, arguments):
        self.chat = chat_data.Chat(messages_each=arguments.messages)
        self.running = running  # {name: Server}
        self.clients = {
            name: Client(server.port, host=server.host) for name, server in running.items()
        }
        self.tool = tool
        self.rounds, self.seconds = arguments.rounds, arguments.seconds
        self.runs = {}
        self.runs_before = 0

    def load(self):
        requests = [self.chat.create_table(), *self.chat.load()]
        for name, client in self.clients.items():
            print(f"loading {name}", file=sys.stderr)
            for operation, request in requests:
                if client.ask(operation, request).get("UnprocessedItems"):
                    raise RuntimeError(f"{name} left items unprocessed")

    def read(self, workload):
        read = chat_data.READS[workload]
        expected = answers.check_read(self.chat, read, self.clients, CHECKED)
        self._run(workload, [read.request(self.chat, i) for i in range(REQUESTS)])
        for name, size in expected.items():
            for run in self.runs[f"{workload}/{name}"]:
                if not 0.95 < run.bytes / run.requests / size < 1.05:
                    raise answers.WrongAnswer(
                        f"{workload}/{name}: answers differ in length from the checked ones"
                    )

    def write(self, workload):
        """Measures a workload in which each request writes one new message."""
        write = chat_data.WRITES[workload]
        before = {
            name: answers.count_messages(self.chat, client) for name, client in self.clients.items()
        }
        numbers = range(self._first_number(), self._first_number() + CHECKED)
        answers.check_write(self.chat, write, self.clients, numbers)
        self.runs_before += 1
        self._run(workload, [write(self.chat, i) for i in range(REQUESTS)])
        for name, client in self.clients.items():
            runs = self.runs[f"{workload}/{name}"]
            written = answers.count_messages(self.chat, client) - before[name] - CHECKED
            acknowledged = sum(run.requests for run in runs)
            under_way = self.tool.connections * len(runs)  # unanswered when wrk stopped
            if not acknowledged <= written <= acknowledged + under_way:
                raise answers.WrongAnswer(
                    f"{workload}/{name}: {acknowledged} acknowledged, {written} found"
                )

    def _first_number(self):
        return self.runs_before * wrk.NUMBERS_OF_A_RUN

    def _run(self, workload, requests):
        """Runs a warm-up round and the measured rounds. The warm-up is not part of the rate."""
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory) / workload
            chat_data.write_requests(requests, path)
            for number in range(1 + self.rounds):
                order = list(self.running)
                random.shuffle(order)
                for name in order:
                    with self._alone(name) as server:
                        self._run_once(f"{workload}/{name}", server, path)
                self.runs_before += 1
                print(f"{workload} {number}/{self.rounds}", file=sys.stderr)

    @contextlib.contextmanager
    def _alone(self, name):
        """Pauses the other servers. An idle server also uses a processor, for example to clean up."""
        with contextlib.ExitStack() as others:
            for other, server in self.running.items():
                if other != name:
                    others.enter_context(server.paused())
            yield self.running[name]

    def _run_once(self, name, server, path):
        run = self.tool.run(server, path, self.seconds, self.runs_before)
        if run.errors:
            raise answers.WrongAnswer(f"{name}: {run}")
        self.runs.setdefault(name, []).append(run)


def measure(arguments):
    """Measures all servers and returns the document to record."""
    peers = [servers.dolmen_in_memory(arguments.program)]
    if arguments.peers:
        peers.append(servers.dynoxide(arguments.peers))
    peers = [peer for peer in peers if peer.name in arguments.only.split(",")]
    peers += [servers.Endpoint(*named) for named in arguments.peer]
    if arguments.former:
        peers.append(servers.dolmen_in_memory(arguments.former, "former"))
    tool = wrk.Wrk(arguments.connections, arguments.threads)
    document = {
        "context": {
            "date": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
            "num_cpus": os.cpu_count(),
            "versions": {peer.name: peer.version() for peer in peers},
            "connections": tool.connections,
            "threads": tool.threads,
            "seconds": arguments.seconds,
        },
        "footprint": footprint(peers, arguments.port, arguments.starts),
    }
    with contextlib.ExitStack() as stack:
        running = {
            peer.name: stack.enter_context(peer.start(arguments.port + i))
            for i, peer in enumerate(peers)
        }
        for server in running.values():
            server.wait_until_it_answers()
        comparison = Comparison(running, tool, arguments)
        comparison.load()
        for workload in chat_data.READS:
            comparison.read(workload)
        for workload in chat_data.WRITES:
            comparison.write(workload)
    document["runs"] = {
        name: [dataclasses.asdict(run) for run in runs[1:]]
        for name, runs in comparison.runs.items()
    }
    return document


def rows_of(document):
    """Returns {name of a row: Row}. Each value is a median."""
    rows = {}
    for name, entries in document["runs"].items():
        runs = [wrk.Run(**entry) for entry in entries]
        rows[name] = Rate(
            name,
            *_median_and_cv([run.rate for run in runs]),
            p50_us=statistics.median(run.p50_us for run in runs),
            p99_us=statistics.median(run.p99_us for run in runs),
        )
    for name, values in document["footprint"].items():
        rows[name] = results.Row(name, *_median_and_cv(values))
    return rows


def latencies_of(rows):
    """Returns {"<workload>_p99/<server>": Row} for the rates in `rows`, in microseconds."""
    rates = [row for row in rows.values() if isinstance(row, Rate)]
    found = [results.Row(row.name.replace("/", "_p99/"), row.p99_us) for row in rates]
    return {row.name: row for row in found}


def _median_and_cv(values):
    median = statistics.median(values)
    return median, statistics.stdev(values) / statistics.mean(values) if len(values) > 1 else None


def head(document):
    context = document["context"]
    versions = ", ".join(f"{name} {version}" for name, version in context["versions"].items())
    return [
        f"{context['date']}, {context['num_cpus']} CPUs, {context['connections']} connections by "
        f"{context['threads']} threads of wrk; medians of runs of {context['seconds']} s",
        "",
        versions,
    ]


def table(rows, names):
    """Returns Markdown tables of rates with ratios, latencies and resources."""
    workloads = [
        workload
        for panel in GROUP.panels
        for workload in panel.workloads
        if f"{workload}/{names[0]}" in rows
    ]
    lines = _header("requests a second (dolmen's number divided by this one)", names)
    for workload in workloads:
        lines.append(_line(workload, [_rate(rows, workload, name) for name in names]))
    lines += ["", *_header("latency, us: p50, p99", names)]
    for workload in workloads:
        found = [rows[f"{workload}/{name}"] for name in names]
        cells = [f"{results.shown(row.p50_us)}, {results.shown(row.p99_us)}" for row in found]
        lines.append(_line(workload, cells))
    lines += ["", *_header("resources", names)]
    for row, title in FOOTPRINT.items():
        found = [rows.get(f"{row}/{name}") for name in names]
        cells = ["" if cell is None else results.shown(cell.value) for cell in found]
        lines.append(_line(title, cells))
    return lines


def _header(title, names):
    return [_line(title, names), "|---" * (len(names) + 1) + "|"]


def _line(title, cells):
    return f"| {title} | " + " | ".join(cells) + " |"


def _rate(rows, workload, name):
    row, dolmen = rows[f"{workload}/{name}"], rows.get(f"{workload}/dolmen")
    text = results.shown(row.value)
    if dolmen is not None and row is not dolmen:
        text += f" ({dolmen.value / row.value:.2f} x)"
    return text + (" (noisy)" if row.is_noisy else "")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="dolmen, built for release, or a recorded run (JSON)")
    parser.add_argument("--peers", type=pathlib.Path, help="directory of install_peers.sh")
    parser.add_argument(
        "--peer",
        metavar="NAME=URL",
        action="append",
        default=[],
        type=servers.named_url,
        help="also measure a running server that has no tables",
    )
    parser.add_argument("--former", type=pathlib.Path, help="an older build of dolmen to compare")
    parser.add_argument("--only", default="dolmen,dynoxide", help="servers")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="directory for the results")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=int, default=2, help="duration of a run of one server")
    parser.add_argument("--connections", type=int, default=4)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--messages", type=int, default=1000, help="messages per conversation")
    parser.add_argument("--starts", type=int, default=20, help="number of starts of each server")
    parser.add_argument("--port", type=int, default=18400, help="first of three ports")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    document = results.measured_or_recorded(arguments, measure, "http.json")
    rows = rows_of(document)
    units = {name: results.Row(name, value) for name, value in UNITS.items()}
    measured = rows | latencies_of(rows) | units
    verdicts = report.verdicts(measured, limits.read(TARGETS))
    page = table(rows, list(document["context"]["versions"]))
    text = "\n".join(["# Over HTTP", "", *head(document), "", *page, "", *_code(verdicts)])
    print(text)
    (arguments.out / "http.md").write_text(text + "\n", encoding="utf-8")
    if charts.can_draw():
        charts.draw(rows, arguments.out, [GROUP])
    else:
        print("the chart was not drawn: install gnuplot", file=sys.stderr)


def _code(lines):
    return ["```", *lines, "```"]


if __name__ == "__main__":
    main()
